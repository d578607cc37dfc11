import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { ServiceProcess } from './service-process';

const ROOT = join(__dirname, '..', '..', '..');
const FIXTURES = join(ROOT, 'test', 'fixtures');
const run = promisify(execFile);

/** The newest migration of the first release, which is what builds are known by (docs/operations.md). */
export const FIRST_BUILD = 20261121164000;

/** What the secrets in {@link firstReleaseDump} are encrypted with. */
export const FIRST_SECRET_KEY = 'the-secret-key-of-the-first-release';

/** A database of the first release, with what one service wrote. */
export async function firstReleaseDump(): Promise<string> {
  return unzipped('first-release.sql.gz');
}

/** The statements that the first release ran while it wrote that. */
export async function firstReleaseStatements(): Promise<string[]> {
  return JSON.parse(await unzipped('first-release-statements.json.gz')) as string[];
}

/** The first release as it was built (`scripts/pack-release.mjs`), with the dependencies of this one. */
export class FirstRelease {
  private constructor(private readonly folder: string) {}

  static async unpack(): Promise<FirstRelease> {
    const folder = await mkdtemp(join(tmpdir(), 'first-release-'));
    // Sandboxes run as users of their own when the tests run as root.
    await chmod(folder, 0o755);
    await run('tar', ['-xzf', join(FIXTURES, 'first-release.tgz'), '-C', folder]);
    await symlink(join(ROOT, 'node_modules'), join(folder, 'package', 'node_modules'));
    return new FirstRelease(folder);
  }

  /** Starts it on a free port. @param env settings */
  start(env: Readonly<Record<string, string>>): ServiceProcess {
    return ServiceProcess.startBuild(join(this.folder, 'package'), env);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

async function unzipped(name: string): Promise<string> {
  return gunzipSync(await readFile(join(FIXTURES, name))).toString('utf8');
}
