import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../common';
import type { Binaries } from './binaries';
import { type ServerUser, unreachableFor } from './server-user';

const run = promisify(execFile);

/** The name of the database's superuser. */
export const SUPERUSER = 'service';

/** A database cluster on disk and its superuser's password. */
export interface Cluster {
  readonly folder: string;
  readonly password: string;
}

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

/**
 * Opens the cluster in `home`, created on first use: UTF-8, SCRAM passwords, checksums, and the same collation and
 * case rules on every platform.
 * @throws StartError when it cannot be created, or its password is lost
 */
export async function openCluster(home: string, binaries: Binaries, user: ServerUser): Promise<Cluster> {
  const folder = join(home, 'data');
  const passwordFile = join(home, 'password');
  await mkdir(home, { recursive: true, mode: 0o700 });
  await giveTo(home, user);
  const obstacle = process.platform === 'linux' ? null : await unreachableFor(user, home);
  if (obstacle !== null)
    throw new StartError(
      `PostgreSQL runs as user ${user?.uid}, who cannot enter ${obstacle}. Allow that, set another DATA_DIR, or do not start as root.`,
    );
  if ((await lstat(folder).catch(() => null)) === null)
    await initialize(folder, passwordFile, binaries, user);
  const password = await readFile(passwordFile, 'utf8').catch((error: unknown) => {
    throw new StartError(`The password of the embedded database cannot be read: ${String(error)}`);
  });
  return { folder, password };
}

/** Creates it in a temporary folder that is renamed at the end: a killed start leaves no half-made cluster. */
async function initialize(folder: string, passwordFile: string, binaries: Binaries, user: ServerUser) {
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await giveTo(draft, user);
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await giveTo(passwordFile, user, 0o600);
  let problem: unknown;
  for (const ctype of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    try {
      await run(
        binaries.initdb,
        [
          ...[
            '-D',
            folderArgument(user, draft),
            '-U',
            SUPERUSER,
            '--pwfile',
            passwordArgument(user, passwordFile),
          ],
          ...['--auth=scram-sha-256', '--encoding=UTF8', '--data-checksums', '--no-instructions'],
          ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${ctype}`],
        ],
        { ...runAs(user), cwd: draft },
      );
      await rename(draft, folder);
      return;
    } catch (error) {
      problem = error;
      if (!(error instanceof Error && error.message.includes('invalid locale name'))) break;
    }
  }
  const reason = problem instanceof Error ? problem.message : String(problem);
  throw new StartError(`The embedded database could not be created in ${folder}: ${reason.trim()}`, {
    cause: problem,
  });
}

function passwordArgument(user: ServerUser, file: string): string {
  return folderArgument(user, file) === file ? file : '../password';
}

async function giveTo(path: string, user: ServerUser, mode = 0o700): Promise<void> {
  if (user !== null) await chown(path, user.uid, user.gid);
  await chmod(path, mode);
}
