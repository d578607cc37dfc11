import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../backup/chapter';
import { ROOT } from '../compiled/compiled-sources';
import { freePort } from '../service/free-port';
import { imagesEngine } from './service-images';

const PAGE = 'deployment.md';

/** The permissions of new files that most systems have, and the plugin `docker compose`, by the program that there is. */
const TERMINAL = `umask 022
docker() {
  if [ "$1" = compose ]; then shift; command docker-compose "$@"; else command docker "$@"; fi
}
`;

/** A folder with the Compose files, where commands of docs/deployment.md are pasted into a shell, with ports of its own. */
export class DeploymentFolder {
  private constructor(
    private readonly path: string,
    private readonly servicePort: number,
    private readonly mailPort: number,
  ) {}

  static async make(): Promise<DeploymentFolder> {
    const path = await mkdtemp(join(tmpdir(), 'deployment-'));
    await cp(join(ROOT, 'compose.yaml'), join(path, 'compose.yaml'));
    return new DeploymentFolder(path, await freePort(), await freePort());
  }

  /** Where the service of either section answers. */
  get url(): string {
    return `http://127.0.0.1:${this.servicePort}`;
  }

  /** Pastes a block of a section. @param n its number there, from 0 @returns what it prints */
  paste(heading: string, n: number): Promise<string> {
    const block = blocksOf(PAGE, heading)[n];
    if (block === undefined) throw new Error(`"${heading}" has no block ${n}.`);
    return this.run(
      block
        .replaceAll('127.0.0.1:3000:3000', `127.0.0.1:${this.servicePort}:3000`)
        .replaceAll('http://127.0.0.1:3000', this.url),
    );
  }

  /**
   * Has a shell read commands line by line, as a terminal does: one that reads what it should not takes those after it.
   * @returns what they print
   */
  run(commands: string): Promise<string> {
    const shell = spawn('bash', ['-e'], {
      cwd: this.path,
      env: {
        PATH: process.env.PATH,
        DOCKER_HOST: imagesEngine().address,
        SERVICE_PORT: String(this.servicePort),
        MAIL_PORT: String(this.mailPort),
      },
    });
    const parts = { out: '', err: '' };
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (parts.out += text));
    shell.stderr.setEncoding('utf8').on('data', (text: string) => (parts.err += text));
    shell.stdin.end(TERMINAL + commands);
    return new Promise((resolve, reject) => {
      shell.once('error', reject).once('close', (code) => {
        if (code === 0) resolve(parts.out.trim());
        else reject(new Error(`${commands}ended with ${code}: ${parts.err}`));
      });
    });
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true });
  }
}
