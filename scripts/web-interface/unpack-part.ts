import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

const ROOT = 'package/';

const MOST_FILES = 5_000;
const MOST_BYTES = 128 * 1024 * 1024;

/** Where a file of a package goes, both by their paths; null for one that is not wanted. */
export type PlaceOf = (path: string) => string | null;

/**
 * Unpacks the files of a package that are wanted, one by one.
 * @param folder below which they go
 * @returns where they went, below the folder
 * @throws Error with a sentence to print, where one of them is anything but a plain file
 */
export async function unpackPart(packed: string, folder: string, placeOf: PlaceOf): Promise<string[]> {
  const entries = extract();
  const reading = pipeline(createReadStream(packed), createGunzip(), entries);
  const writing = writeEntries(entries, folder, placeOf);
  await Promise.all([reading, writing]);
  return writing;
}

async function writeEntries(
  entries: ReturnType<typeof extract>,
  folder: string,
  placeOf: PlaceOf,
): Promise<string[]> {
  const places: string[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    const { name, type, size = 0 } = entry.header;
    const isWanted = type !== 'directory' && name.startsWith(ROOT);
    const place = isWanted ? placeOf(name.slice(ROOT.length)) : null;
    if (place === null) {
      entry.resume();
      continue;
    }
    if (type !== 'file' || !isPlainPath(place))
      throw new Error(`The package is not as it should be: ${JSON.stringify(name)} (${type ?? 'unknown'}).`);
    places.push(place);
    bytes += size;
    if (places.length > MOST_FILES || bytes > MOST_BYTES)
      throw new Error('The package has more files or bytes than a web interface can have.');
    const path = join(folder, place);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(entry, createWriteStream(path, { flags: 'wx' }));
  }
  return places;
}

/** Whether a path stays below the folder it is put in, on every system. */
function isPlainPath(path: string): boolean {
  return (
    !/[\\:\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
