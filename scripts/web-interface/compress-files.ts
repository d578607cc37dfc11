import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

/** Types of files that are not compressed already. */
const COMPRESSIBLE = new Set([
  '.js',
  '.css',
  '.json',
  '.svg',
  '.txt',
  '.xml',
  '.webmanifest',
  '.ico',
  '.map',
]);

/** Smaller ones gain less than the headers that say so. */
const LEAST_BYTES = 1_024;

const AT_ONCE = 4;

/**
 * Puts the files of a folder beside themselves, compressed as much as possible: `.br` and `.gz`.
 * @param onProgress is told after each file which part of all bytes is done, from 0 to 1
 */
export async function compressFiles(folder: string, onProgress: (part: number) => void): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(paths.map(async (file) => ({ file, size: (await stat(file)).size })));
  const waiting = sizes.filter(({ size }) => size >= LEAST_BYTES);
  const all = waiting.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await compressFile(next.file, next.size);
      done += next.size;
      onProgress(done / all);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function compressFile(file: string, size: number): Promise<void> {
  const quality = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  };
  await pipeline(
    createReadStream(file),
    createBrotliCompress({ params: quality }),
    createWriteStream(`${file}.br`),
  );
  await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
  for (const compressed of [`${file}.br`, `${file}.gz`])
    if ((await stat(compressed)).size >= size) await rm(compressed);
}
