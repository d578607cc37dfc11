import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { RegistrationProblem } from '../../registration/registration-problem';

/** The first version that reads settings from its environment (`GIT_CONFIG_COUNT`); older ones ignore them. */
const OLDEST = { major: 2, minor: 31 };
const run = promisify(execFile);

/** The git of this machine. Without a usable one nothing is fetched, and the log warns at start. */
@Injectable()
export class InstalledGit implements OnModuleInit {
  private readonly logger = new Logger('Marketplaces');
  private problem: string | null = null;

  async onModuleInit(): Promise<void> {
    this.problem = await problemOfGit();
    if (this.problem !== null) this.logger.warn(`Marketplaces cannot be previewed: ${this.problem}`);
  }

  /** @throws RegistrationProblem when git is missing or too old; checked again each time */
  async assertUsable(): Promise<void> {
    if (this.problem === null) return;
    this.problem = await problemOfGit();
    if (this.problem !== null) throw new RegistrationProblem(this.problem);
  }
}

/** What is wrong with the git in `PATH`, as the end of a sentence; null when it can be used. */
export async function problemOfGit(): Promise<string | null> {
  const needed = `git ${OLDEST.major}.${OLDEST.minor} or newer`;
  try {
    const { stdout } = await run('git', ['--version'], { env: { PATH: process.env.PATH } });
    const [, version = '', major, minor] = /^git version ((\d+)\.(\d+)\S*)/.exec(stdout) ?? [];
    const isUsable =
      Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
    return isUsable ? null : `this service has git ${version}, and needs ${needed}`;
  } catch {
    return `this service has no git, and needs ${needed}`;
  }
}
