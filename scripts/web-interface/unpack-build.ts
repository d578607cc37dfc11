import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

const BUILD = 'package/build/';
const LICENCE = 'package/LICENSE';

/** A worker of the package's own tests, which must not get into browsers. */
const LEFT_OUT = ['mockServiceWorker.js'];

const MOST_FILES = 5_000;
const MOST_BYTES = 128 * 1024 * 1024;

/**
 * Unpacks the static build of a package, file by file: `index.html` and `LICENSE` into the folder, all others below
 * `files`.
 * @throws Error with a sentence to print, for a package with anything but plain files in its build
 */
export async function unpackBuild(packed: string, folder: string): Promise<void> {
  const entries = extract();
  const reading = pipeline(createReadStream(packed), createGunzip(), entries);
  const writing = writeEntries(entries, folder);
  await Promise.all([reading, writing]);
}

async function writeEntries(entries: ReturnType<typeof extract>, folder: string): Promise<void> {
  let files = 0;
  let bytes = 0;
  let hasIndex = false;
  for await (const entry of entries) {
    const { name, type, size = 0 } = entry.header;
    const place = type === 'directory' ? null : placeOf(name, type);
    if (place === null) {
      entry.resume();
      continue;
    }
    files += 1;
    bytes += size;
    if (files > MOST_FILES || bytes > MOST_BYTES)
      throw new Error('The package has more files or bytes than a web interface can have.');
    hasIndex ||= place === 'index.html';
    const path = join(folder, place);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(entry, createWriteStream(path, { flags: 'wx' }));
  }
  if (!hasIndex) throw new Error('The package has no static build.');
}

/** Where a file of the package goes; null for one that is not needed. */
function placeOf(name: string, type: string | null | undefined): string | null {
  if (name === LICENCE) return 'LICENSE';
  if (!name.startsWith(BUILD)) return null;
  const path = name.slice(BUILD.length);
  if (type !== 'file' || !isPlainPath(path))
    throw new Error(`The package is not as it should be: ${JSON.stringify(name)} (${type ?? 'unknown'}).`);
  if (LEFT_OUT.includes(path)) return null;
  return path === 'index.html' ? path : join('files', path);
}

/** Whether a path stays below the folder it is put in, on every system. */
function isPlainPath(path: string): boolean {
  return (
    !/[\\:\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
