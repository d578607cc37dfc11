/** The processes that the organization list is measured in: the built service and what it is compared with. */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureFastApi } from '../scripts/fastapi-environment';
import { freePort } from '../test/support/service/free-port';
import type { BareCase } from './org-list-cases';
import { UNLIMITED } from './unlimited';

/** The built service on a database, with authentication and logging as usual. */
export class Service {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly dataDir: string,
  ) {}

  static async start(databaseUrl: string): Promise<Service> {
    const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
    const port = await freePort();
    const child = spawn(process.execPath, [join(__dirname, '..', 'dist', 'main.js')], {
      env: {
        ...process.env,
        ...UNLIMITED,
        ...{
          DATABASE_URL: databaseUrl,
          SECRET_KEY: 'a-secret-key-of-tests-0123456789',
          PORT: String(port),
          DATA_DIR: dataDir,
        },
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const service = new Service(port, child, dataDir);
    while (!(await service.isReady())) {
      if (child.exitCode !== null) throw new Error('The service did not start.');
      await sleep(50);
    }
    return service;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  residentMebibytes(): number {
    return (
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.child.pid)], { encoding: 'utf8' })) / 1024
    );
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }
}

/** Starts the bare server for these cases. */
export async function startBare(
  databaseUrl: string,
  cases: readonly BareCase[],
): Promise<{ port: number; pid: number | undefined; stop: () => void }> {
  const child = fork(join(__dirname, 'org-list-bare.ts'), {
    execArgv: ['--require', '@swc-node/register'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send({ databaseUrl, cases });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The bare server ended.')));
    child.once('message', (message) => resolve(Number(message)));
  });
  return { port, pid: child.pid, stop: () => child.kill() };
}

/** Starts the FastAPI service, one process of uvicorn with its defaults. The first time its packages are installed. */
export async function startFastApi(databaseUrl: string): Promise<{ port: number; stop: () => void }> {
  const { command, variables } = await ensureFastApi();
  const port = await freePort();
  const options = ['--app-dir', join(__dirname, 'fastapi'), '--port', String(port)];
  const child = spawn(command, [...options, 'service:app'], {
    env: { ...process.env, ...variables, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error('The FastAPI service did not start.');
    await sleep(50);
  }
  return { port, stop: () => child.kill() };
}

function isListening(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/openapi.json`).then(
    ({ ok }) => ok,
    () => false,
  );
}
