import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledSources, ROOT } from '../compiled/compiled-sources';
import { ServiceProcess } from '../service/service-process';

/** `npm run --silent cli -- COMMAND` in a release's folder, without building it first. */
const NPM = '#!/bin/sh\nshift 4\nexec node dist/cli.js "$@"\n';

const NEXT = 29990101000000;

/** A release in a folder, as somebody who upgrades has it: this one, or one after it. */
export class ReleaseFolder {
  private constructor(readonly path: string) {}

  /** This release. */
  static async present(): Promise<ReleaseFolder> {
    const path = await mkdtemp(join(tmpdir(), 'release-'));
    // Sandboxes run as users of their own when the tests run as root.
    await chmod(path, 0o755);
    await cp(compiledSources('src'), join(path, 'dist'), { recursive: true });
    for (const name of ['package.json', 'node_modules']) await symlink(join(ROOT, name), join(path, name));
    await mkdir(join(path, 'bin'));
    await writeFile(join(path, 'bin', 'npm'), NPM, { mode: 0o755 });
    return new ReleaseFolder(path);
  }

  /** One with a migration more. @param oldestBuild that works with it; by default only that release itself */
  static async next(oldestBuild = NEXT): Promise<ReleaseFolder> {
    const release = await ReleaseFolder.present();
    await writeFile(
      join(release.path, 'dist', 'kernel', 'database', 'migrations', `${NEXT}-next.js`),
      `exports.Next${NEXT} = class Next${NEXT} {
         oldestBuild = ${oldestBuild};
         async up(runner) { await runner.query('CREATE TABLE of_the_next_release (n int)'); }
         async down(runner) { await runner.query('DROP TABLE of_the_next_release'); }
       };`,
    );
    return release;
  }

  start(env: Readonly<Record<string, string>>): ServiceProcess {
    return ServiceProcess.startBuild(this.path, env);
  }

  /** Runs commands of a page as somebody would paste them. @returns what they printed */
  async paste(commands: string, env: Readonly<Record<string, string>>): Promise<string> {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
      env: { ...env, PATH: `${join(this.path, 'bin')}:${process.env.PATH}` },
    });
    return stdout;
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}
