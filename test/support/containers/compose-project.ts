import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ROOT } from '../compiled/compiled-sources';
import { eventually } from '../eventually';
import { call } from '../service/http';
import { freePort } from '../service/free-port';
import { imagesEngine } from './service-images';

const PATIENCE_MS = 120_000;

/** What a compose file starts, with secrets and ports of its own. */
export class ComposeProject {
  private constructor(
    private readonly file: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** @param env more variables that the file asks for */
  static async open(file: string, env: Readonly<Record<string, string>> = {}): Promise<ComposeProject> {
    const [SERVICE_PORT = '', CALLBACK_PORT = '', MAIL_PORT = '', POSTGRES_PORT = ''] = await Promise.all(
      [freePort(), freePort(), freePort(), freePort()].map(async (port) => String(await port)),
    );
    return new ComposeProject(file, {
      PATH: process.env.PATH ?? '',
      DOCKER_HOST: imagesEngine().address,
      COMPOSE_PROJECT_NAME: file.replace(/\W/g, ''),
      POSTGRES_PASSWORD: randomBytes(8).toString('hex'),
      SECRET_KEY: randomBytes(24).toString('hex'),
      METRICS_TOKEN: randomBytes(24).toString('hex'),
      MAIL_PASSWORD: randomBytes(8).toString('hex'),
      SERVICE_PORT,
      CALLBACK_PORT,
      MAIL_PORT,
      POSTGRES_PORT,
      ...env,
    });
  }

  /** Where the service answers. */
  get url(): string {
    return `http://${this.env.BRIDGE_ADDRESS ?? '127.0.0.1'}:${this.env.SERVICE_PORT}`;
  }

  /** Where mails are shown, to those with {@link mailPassword}. */
  get mailUrl(): string {
    return `http://127.0.0.1:${this.env.MAIL_PORT}`;
  }

  /** Of the user `mail`. */
  get mailPassword(): string {
    return this.env.MAIL_PASSWORD ?? '';
  }

  /** What `GET /metrics` asks for. */
  get metricsToken(): string {
    return this.env.METRICS_TOKEN ?? '';
  }

  /** @returns what a command of Compose prints */
  async compose(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const options = { cwd: ROOT, env: { ...this.env, ...env } };
    return (
      await promisify(execFile)('docker-compose', ['--file', this.file, ...args], options)
    ).stdout.trim();
  }

  /** Starts what is not started, and waits until the service is ready. */
  async up(): Promise<void> {
    await this.compose(['up', '--detach']);
    await eventually(async () => {
      const { status } = await call(this, 'GET', '/ready').catch(() => ({ status: 0 }));
      if (status !== 200) throw new Error(`${status}: ${await this.compose(['logs', 'service'])}`);
    }, PATIENCE_MS);
  }

  /** Removes everything. */
  async close(): Promise<void> {
    await this.compose(['down', '--volumes']);
  }
}
