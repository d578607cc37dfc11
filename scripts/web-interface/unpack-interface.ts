import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  InterfacePackage,
  Replacement,
} from '../../src/appliance/web-interface/installed/installed-interface';
import { unpackIcons } from './unpack-icons';
import { type PlaceOf, unpackPart } from './unpack-part';

const BUILD = 'build/';
const EDITOR = 'min/vs/';

/** A worker of the package's own tests, which must not get into browsers. */
const LEFT_OUT = ['mockServiceWorker.js'];

/** The packages of an interface, as files. */
export interface PackedInterface {
  readonly interface: string;
  readonly editor: string;
  readonly icons: string;
}

/**
 * Unpacks the static build of an interface: `index.html` and `LICENSE` into the folder, all others below `files`, editor and
 * icons with them, at addresses of the service instead of those that stand in the build.
 * @throws Error with a sentence to print, for packages that are not as they should be
 */
export async function unpackInterface(
  packed: PackedInterface,
  wanted: InterfacePackage,
  folder: string,
): Promise<void> {
  const places = await unpackPart(packed.interface, folder, placeInBuild);
  if (!places.includes('index.html')) throw new Error('The package has no static build.');
  const assets = join(folder, 'files', 'assets');
  const { name, version, address } = wanted.editor;
  const path = `${name}-${version}`;
  const code = await readCode(assets);
  await unpackPart(packed.editor, join(assets, path), placeInEditor);
  replace(code, { subject: 'the address of its editor', pattern: literally(address), by: `/assets/${path}` });
  await unpackIcons(packed.icons, wanted.icons, assets, code);
  for (const replacement of wanted.replacements) replace(code, replacement);
  for (const [file, text] of code) await writeFile(join(assets, file), text);
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

/** The scripts and styles of a build, by the names of their files. */
async function readCode(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** @throws Error where nothing matches: then it would be missing without a word */
function replace(code: Map<string, string>, { subject, pattern, by }: Replacement): void {
  const matching = [...code].filter(([, text]) => text.search(pattern) !== -1);
  if (matching.length === 0) throw new Error(`The static build is another one: it has not ${subject}.`);
  for (const [file, text] of matching) code.set(file, text.replace(pattern, by));
}

function literally(text: string): RegExp {
  return new RegExp(text.replaceAll(/[^\w/-]/g, '\\$&'), 'g');
}
