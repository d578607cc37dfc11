import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { INTERFACE_PACKAGE, type InterfacePackage } from './interface-package';

/** Where `npm run web:install` stores what it fetched: `.cache/web-interface` of the project. */
export const INTERFACE_CACHE = join(__dirname, '..', '..', '..', '..', '.cache', 'web-interface');

const FOLDER = /^(\d[\w.-]*)-[0-9a-f]{12}$/;

/** A web interface installed on this machine by `npm run web:install`. */
export interface InstalledInterface {
  readonly version: string;
  /** Contains `index.html` and the folder `files`, with compressed files next to the others. */
  readonly folder: string;
}

/** The folder name of a package below {@link INTERFACE_CACHE}. */
export function folderOfPackage(wanted: InterfacePackage): string {
  const text = JSON.stringify(wanted, (_, value: unknown) =>
    value instanceof RegExp ? value.source : value,
  );
  return `${wanted.version}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/**
 * The installed web interface: the one this build of the service was tested with, else the one installed last.
 * @returns null if there is none
 */
export async function findInterface(cache = INTERFACE_CACHE): Promise<InstalledInterface | null> {
  const names = (await readdir(cache).catch(() => [])).filter((name) => FOLDER.test(name));
  const dated = await Promise.all(names.map(async (name) => ({ name, at: await installedAt(cache, name) })));
  const pinned = folderOfPackage(INTERFACE_PACKAGE);
  const [best] = dated.sort((a, b) => Number(b.name === pinned) - Number(a.name === pinned) || b.at - a.at);
  if (best === undefined) return null;
  return { version: FOLDER.exec(best.name)?.[1] ?? best.name, folder: join(cache, best.name) };
}

async function installedAt(cache: string, name: string): Promise<number> {
  return (await stat(join(cache, name))).mtimeMs;
}
