/** So much of the end of what is too long to be read is kept, where the usage is. */
export const KEPT_END = 64 * 1024;

const NONE = Buffer.alloc(0);

/** Bytes that are gathered in one piece, however small they come: a view of each would take more than they do. */
export class GatheredBytes {
  private room = NONE;
  private size = 0;

  get length(): number {
    return this.size;
  }

  /** The memory that it takes. */
  get allocated(): number {
    return this.room.length;
  }

  /** What is there, until more is added. */
  get all(): Buffer {
    return this.room.subarray(0, this.size);
  }

  add(bytes: Buffer): void {
    const size = this.size + bytes.length;
    if (size > this.room.length) {
      const room = Buffer.allocUnsafe(this.size === 0 ? size : 2 * size);
      this.all.copy(room);
      this.room = room;
    }
    bytes.copy(this.room, this.size);
    this.size = size;
  }

  /** Hands over what is there. */
  take(): Buffer {
    const { all } = this;
    this.room = NONE;
    this.size = 0;
    return all;
  }
}
