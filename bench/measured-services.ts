import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { newKey } from '../src/accounts/api-keys/keys/key-format';
import { freePort } from '../test/support/service/free-port';
import { measure, quantile } from './org-list-load';
import { processorMs } from './processor-time';

/** A process of the built service. */
export interface MeasuredService {
  readonly child: ChildProcess;
  readonly port: number;
}

/** What a service did in some seconds. */
export interface Turn {
  readonly perSecond: number;
  /** Of the service, for one request. */
  readonly cpuMicroseconds: number;
}

/** Processes of the built service (`npm run build`) over one database, in which one key has everything. */
export class MeasuredServices {
  private readonly started: MeasuredService[] = [];
  /** Of the database of all of them. */
  databaseUrl = '';

  private constructor(
    private readonly folder: string,
    readonly key: string,
  ) {}

  /** Starts the one with the database. @param env settings that differ */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<MeasuredServices> {
    const services = new MeasuredServices(mkdtempSync(join(tmpdir(), 'bench-services-')), newKey());
    await services.run('database', { BOOTSTRAP_KEY: services.key, ...env });
    const note = readFileSync(join(services.folder, 'database', 'postgres.json'), 'utf8');
    services.databaseUrl = z.object({ url: z.string() }).parse(JSON.parse(note)).url;
    return services;
  }

  /** The folder of the database, by which its processes are known. */
  get databaseFolder(): string {
    return join(this.folder, 'database', 'postgres', 'data');
  }

  /** Starts one that only answers requests. @param env settings that differ */
  replica(name: string, env: Readonly<Record<string, string>>): Promise<MeasuredService> {
    return this.run(name, { DATABASE_URL: this.databaseUrl, APP_ROLE: 'api', ...env });
  }

  /** The id of the first organization. */
  async organization({ port }: MeasuredService): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${port}/api/organizations`, {
      headers: { 'X-Access-Token': this.key },
    });
    const { items } = z.object({ items: z.array(z.object({ id: z.string() })) }).parse(await response.json());
    return items[0]?.id ?? '';
  }

  /** The path of the list of the first organization. */
  async listPath(service: MeasuredService): Promise<string> {
    return `/api/organizations/${await this.organization(service)}/conversations`;
  }

  /** Asks a service again and again. */
  async turn(
    { child, port }: MeasuredService,
    { path, connections, seconds }: { path: string; connections: number; seconds: number },
  ): Promise<Turn> {
    const before = processorMs(child.pid);
    const { perSecond } = await measure({ port, path, key: this.key, connections, seconds });
    return {
      perSecond,
      cpuMicroseconds: ((processorMs(child.pid) - before) * 1_000) / (perSecond * seconds),
    };
  }

  /** Ends one. */
  async end({ child }: MeasuredService): Promise<void> {
    await stop(child);
  }

  /** Ends all, the one with the database last. */
  async stop(): Promise<void> {
    for (const { child } of this.started) await stop(child);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async run(name: string, env: Readonly<Record<string, string>>): Promise<MeasuredService> {
    const port = Number(env['PORT'] ?? (await freePort()));
    const own = { PORT: String(port), DATA_DIR: join(this.folder, name), SECRET_KEY: this.key };
    const child = spawn(process.execPath, [join(__dirname, '..', 'dist', 'main.js')], {
      env: { ...process.env, ...own, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const service = { child, port };
    this.started.unshift(service);
    await ready(service);
    return service;
  }
}

/** The better of both, each figure by itself. */
export function better(a: Turn | undefined, b: Turn): Turn {
  if (a === undefined) return b;
  return {
    perSecond: Math.max(a.perSecond, b.perSecond),
    cpuMicroseconds: Math.min(a.cpuMicroseconds, b.cpuMicroseconds),
  };
}

/** The median of each figure. */
export function medians(turns: readonly Turn[]): Turn {
  const median = (figure: keyof Turn): number =>
    quantile(
      turns.map((turn) => turn[figure]),
      0.5,
    );
  return { perSecond: median('perSecond'), cpuMicroseconds: median('cpuMicroseconds') };
}

async function ready({ child, port }: MeasuredService): Promise<void> {
  for (;;) {
    const { status } = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => ({ status: 0 }));
    if (status === 200) return;
    if (child.exitCode !== null) throw new Error('The service did not start.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
