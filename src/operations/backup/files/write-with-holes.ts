import type { FileHandle } from 'node:fs/promises';

/** What most file systems have as the smallest hole. */
const BLOCK_BYTES = 4096;
const ZEROS = Buffer.alloc(BLOCK_BYTES);

/** Writes a new file; blocks of zeros become holes, so that it takes about as much of the disk as what it is a copy of. */
export async function writeWithHoles(file: FileHandle, content: AsyncIterable<Buffer>): Promise<void> {
  let at = 0;
  for await (const chunk of content) {
    for (const [start, end] of dataIn(chunk, at))
      await writeAll(file, chunk.subarray(start, end), at + start);
    at += chunk.length;
  }
  // For a hole at its end.
  await file.truncate(at);
}

/**
 * Where a part of a file has data: from and up to which of its bytes.
 * @param at where in the file the part begins
 */
function* dataIn(chunk: Buffer, at: number): Generator<readonly [start: number, end: number]> {
  let start: number | null = null;
  for (let block = 0; block < chunk.length;) {
    const end = Math.min(chunk.length, block + BLOCK_BYTES - ((at + block) % BLOCK_BYTES));
    const isHole = ZEROS.compare(chunk, block, end, 0, end - block) === 0;
    if (isHole && start !== null) yield [start, block];
    start = isHole ? null : (start ?? block);
    block = end;
  }
  if (start !== null) yield [start, chunk.length];
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
