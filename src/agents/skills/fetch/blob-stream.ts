/** The beginning of a blob. */
export interface BlobHead {
  readonly id: string;
  /** The size of the whole blob. */
  readonly size: number;
  readonly head: Buffer;
}

/** Parses the output of `git cat-file --batch`: for each blob a header line, its bytes and a newline. */
export class BlobStream {
  private pending: Buffer = Buffer.alloc(0);
  private current: { id: string; size: number; left: number; parts: Buffer[]; kept: number } | null = null;

  /** @param keepBytes how much of each blob is kept; the rest is discarded as it arrives */
  constructor(
    private readonly keepBytes: number,
    private readonly onBlob: (blob: BlobHead) => void,
  ) {}

  add(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.current ? this.takeBytes(rest) : this.takeHeader(rest);
  }

  private takeHeader(chunk: Buffer): Buffer {
    const data = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    const end = data.indexOf('\n');
    if (end === -1) {
      this.pending = data;
      return Buffer.alloc(0);
    }
    this.pending = Buffer.alloc(0);
    const [id = '', type, size] = data.toString('latin1', 0, end).split(' ');
    // For a missing blob the header is `<id> missing`, and no bytes follow.
    if (type === 'blob')
      this.current = { id, size: Number(size), left: Number(size) + 1, parts: [], kept: 0 };
    return data.subarray(end + 1);
  }

  private takeBytes(chunk: Buffer): Buffer {
    const blob = this.current;
    if (!blob) return chunk;
    const taken = chunk.subarray(0, blob.left);
    blob.left -= taken.length;
    const wanted = Math.min(blob.size, this.keepBytes) - blob.kept;
    if (wanted > 0) {
      const part = taken.subarray(0, wanted);
      blob.parts.push(part);
      blob.kept += part.length;
    }
    if (blob.left === 0) {
      this.current = null;
      this.onBlob({ id: blob.id, size: blob.size, head: Buffer.concat(blob.parts) });
    }
    return chunk.subarray(taken.length);
  }
}
