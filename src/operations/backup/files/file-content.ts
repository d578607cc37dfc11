import type { FileHandle } from 'node:fs/promises';

const PORTION_BYTES = 64 * 1024;

/**
 * What a file has, as many bytes as its entry in a backup says, whatever becomes of it meanwhile: one that got shorter ends
 * with zeros, and so does one of which the rest cannot be read.
 */
export class FileContent {
  /** Why the rest could not be read; null where all of it was. */
  problem: unknown = null;

  constructor(
    private readonly file: FileHandle,
    private readonly size: number,
  ) {}

  /** Never fails because of the file: an entry that has begun needs all of its bytes. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.size;) {
      const portion = await this.portion(at, Math.min(PORTION_BYTES, this.size - at));
      yield portion;
      at += portion.length;
    }
  }

  private async portion(at: number, wanted: number): Promise<Buffer> {
    const buffer = Buffer.alloc(wanted);
    // A disk may take long for each try.
    if (this.problem !== null) return buffer;
    try {
      const { bytesRead } = await this.file.read(buffer, 0, wanted, at);
      return bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
    } catch (error) {
      this.problem = error;
      return buffer;
    }
  }
}
