import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { MEBIBYTE } from '../../../kernel/common';
import { HttpFault, notFound } from './http-api';

/** What one response holds in memory. */
const MAX_READ_BYTES = 64 * MEBIBYTE;

const NO_FILE = 'The path is not that of a regular file.';

/** What says that a path leads to a folder, a socket, or a pipe that nobody reads. */
const OTHER_KINDS = ['EISDIR', 'ENXIO', 'ENODEV'];

/**
 * The bytes of a file. Pipes and devices never end, or never begin: they are refused once they are open, without a wait.
 * @throws HttpFault where it is none, or larger than a response can be
 */
export async function readRegular(path: string): Promise<Buffer> {
  return using(path, constants.O_RDONLY, async (file) => {
    // Some systems have files that say nothing of their size.
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, end: MAX_READ_BYTES })) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      length += chunk.length;
    }
    if (length > MAX_READ_BYTES) throw new HttpFault(413, 'The file is larger than 64 MiB.');
    return Buffer.concat(chunks);
  });
}

/** Replaces the content of a file, which is made where it is not there. @throws HttpFault where it is no regular file */
export async function writeRegular(path: string, bytes: Buffer): Promise<void> {
  await using(path, constants.O_WRONLY | constants.O_CREAT, async (file) => {
    await file.truncate();
    await file.writeFile(bytes);
  });
}

async function using<T>(path: string, flags: number, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags | constants.O_NONBLOCK, 0o666).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (OTHER_KINDS.includes(code)) throw new HttpFault(400, NO_FILE);
    if (flags === constants.O_RDONLY) throw notFound('File not found');
    throw error;
  });
  try {
    if (!(await file.stat()).isFile()) throw new HttpFault(400, NO_FILE);
    return await use(file);
  } finally {
    await file.close();
  }
}
