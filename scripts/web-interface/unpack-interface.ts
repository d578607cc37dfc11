import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InterfacePackage } from '../../src/web-interface/installed/interface-package';
import { type PlaceOf, unpackPart } from './unpack-part';

const BUILD = 'build/';
const EDITOR = 'min/vs/';

/** A worker of the package's own tests, which must not get into browsers. */
const LEFT_OUT = ['mockServiceWorker.js'];

/** The two packages of an interface, as files. */
export interface PackedInterface {
  readonly interface: string;
  readonly editor: string;
}

/**
 * Unpacks the static build of an interface: `index.html` and `LICENSE` into the folder, all others below `files`, the
 * editor with them, at an address of the service instead of the one that stands in the build.
 * @throws Error with a sentence to print, for packages that are not as they should be
 */
export async function unpackInterface(
  packed: PackedInterface,
  wanted: InterfacePackage,
  folder: string,
): Promise<void> {
  const places = await unpackPart(packed.interface, folder, placeInBuild);
  if (!places.includes('index.html')) throw new Error('The package has no static build.');
  const { name, version, address } = wanted.editor;
  const path = `/assets/${name}-${version}`;
  await unpackPart(packed.editor, join(folder, 'files', path), placeInEditor);
  await replaceInScripts(join(folder, 'files', 'assets'), address, path);
}

const placeInBuild: PlaceOf = (path) => {
  if (path === 'LICENSE') return path;
  if (!path.startsWith(BUILD)) return null;
  const place = path.slice(BUILD.length);
  if (LEFT_OUT.includes(place)) return null;
  return place === 'index.html' ? place : `files/${place}`;
};

const placeInEditor: PlaceOf = (path) => {
  if (path === 'LICENSE') return path;
  return path.startsWith(EDITOR) ? path.slice(EDITOR.length) : null;
};

/** @throws Error where no script has the address: then the editor would not be found */
async function replaceInScripts(folder: string, address: string, path: string): Promise<void> {
  let isFound = false;
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.js'))) {
    const script = await readFile(join(folder, name), 'utf8');
    if (!script.includes(address)) continue;
    isFound = true;
    await writeFile(join(folder, name), script.replaceAll(address, path));
  }
  if (!isFound) throw new Error(`The static build does not ask for its editor at ${address}.`);
}
