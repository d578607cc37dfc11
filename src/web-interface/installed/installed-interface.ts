import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { INTERFACE_PACKAGE, type InterfacePackage } from './interface-package';

/** Where `npm run web:install` keeps what it fetched: `.cache/web-interface` of the project. */
export const INTERFACE_CACHE = join(__dirname, '..', '..', '..', '.cache', 'web-interface');

const FOLDER = /^(\d[\w.-]*)-[0-9a-f]{12}$/;

/** A web interface that `npm run web:install` has put on this machine. */
export interface InstalledInterface {
  readonly version: string;
  /** Has `index.html` and the folder `files`, where compressed files stand beside the others. */
  readonly folder: string;
}

/** The name of the folder of a package below {@link INTERFACE_CACHE}. */
export function folderOfPackage({ version, integrity, editor }: InterfacePackage): string {
  const digest = createHash('sha256').update(integrity).update(editor.integrity).digest('hex');
  return `${version}-${digest.slice(0, 12)}`;
}

/**
 * The web interface that is installed: the one this build of the service was tested with, else the one that was
 * installed last.
 * @returns null where none is
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
