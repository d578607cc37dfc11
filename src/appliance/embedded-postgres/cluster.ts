import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, lchown, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, StartError } from '../../kernel/common';
import type { Binaries } from './binaries';
import { INITIAL_PASSWORD, SUPERUSER } from './roles';
import { initialUser, type ServerUser, unreachableFor } from './server-user';

const run = promisify(execFile);

/** Options to spawn a PostgreSQL program with: its user, and an environment without the service's secrets. */
export function runAs(user: ServerUser): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  return { ...user, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } };
}

/**
 * The path of the data folder as the server gets it. A user other than ours may lack access to a parent folder (a
 * home of mode 0700); on Linux the server can instead refer to the folder it was started in.
 */
export function folderArgument(user: ServerUser, folder: string): string {
  return user !== null && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

/** Callbacks for the creation of a cluster. */
interface Creation {
  readonly log?: { info(message: string): void };
  /** Called when `initdb` was started. */
  readonly onSpawn?: () => void;
}

/** The data folder of the cluster in `home`. */
export function dataFolder(home: string): string {
  return join(home, 'data');
}

/** Whether a start has made the embedded database of a `DATA_DIR`. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await lstat(dataFolder(join(dataDir, 'postgres'))).catch(() => null)) !== null;
}

/**
 * Opens the cluster in `home`, created on first use: UTF-8, SCRAM passwords, checksums, and the same collation and
 * case rules on every platform. Files of another user are handed over to `user`; no server may run on them.
 * @returns the data folder
 * @throws StartError when it cannot be created
 */
export async function openCluster(
  home: string,
  binaries: Binaries,
  user: ServerUser,
  creation: Creation = {},
): Promise<string> {
  const folder = dataFolder(home);
  await mkdir(home, { recursive: true, mode: 0o700 });
  await chmod(home, 0o700);
  if ((await lstat(folder).catch(() => null)) === null) await initialize(home, binaries, user, creation);
  if (user !== null && (await lstat(home)).uid !== user.uid) await handOver(home, user);
  await chmod(folder, 0o700); // PostgreSQL accepts more, but the socket is in it
  const obstacle = process.platform === 'linux' ? null : await unreachableFor(user, home);
  if (obstacle !== null)
    throw new StartError(
      `PostgreSQL runs as user ${user?.uid}, who cannot enter ${obstacle}. Allow that, set another DATA_DIR, or do not start as root.`,
    );
  return folder;
}

/** Creates it in a temporary folder that is renamed at the end: a killed start leaves no half-made cluster. */
async function initialize(
  home: string,
  binaries: Binaries,
  owner: ServerUser,
  { log, onSpawn }: Creation,
): Promise<void> {
  const user = await initialUser(owner);
  const folder = dataFolder(home);
  const draft = `${folder}.new`;
  const passwordFile = join(home, INITIAL_PASSWORD);
  await giveTo(home, user);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await giveTo(draft, user);
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await giveTo(passwordFile, user, 0o600);
  log?.info(`Creating a PostgreSQL cluster in ${home}.`);
  let problem: unknown;
  for (const ctype of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    try {
      const initdb = run(binaries.initdb, initdbArguments(user, draft, passwordFile, ctype), {
        ...runAs(user),
        cwd: draft,
      });
      onSpawn?.();
      await initdb;
      await rename(draft, folder);
      return;
    } catch (error) {
      problem = error;
      if (!(error instanceof Error && error.message.includes('invalid locale name'))) break;
    }
  }
  const reason = messageOf(problem);
  throw new StartError(`The embedded database could not be created in ${folder}: ${reason.trim()}`, {
    cause: problem,
  });
}

function initdbArguments(user: ServerUser, draft: string, passwordFile: string, ctype: string): string[] {
  const password = folderArgument(user, draft) === draft ? passwordFile : `../${INITIAL_PASSWORD}`;
  return [
    '-D',
    folderArgument(user, draft),
    '-U',
    SUPERUSER,
    '--pwfile',
    password,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${ctype}`,
  ];
}

/** Changes the owner of the folder itself last, so that the next start repeats an interrupted hand-over. */
async function handOver(folder: string, user: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await handOver(path, user);
    else await lchown(path, user.uid, user.gid);
  }
  await lchown(folder, user.uid, user.gid);
}

async function giveTo(path: string, user: ServerUser, mode = 0o700): Promise<void> {
  if (user !== null) await chown(path, user.uid, user.gid);
  await chmod(path, mode);
}
