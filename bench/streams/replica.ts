import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/service/free-port';
import { UNLIMITED } from '../unlimited';
import { COLLECTING } from './idle-memory';

/** A built service in a process of its own. */
export class Replica {
  isKilled = false;

  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /**
   * Starts one over a database, and waits until it is ready.
   * @param env settings that differ
   */
  static async start(
    databaseUrl: string,
    dataDir: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Replica> {
    const port = env['PORT'] ?? (await freePort());
    const child = spawn(process.execPath, [...COLLECTING, join(__dirname, '..', '..', 'dist', 'main.js')], {
      env: {
        ...process.env,
        ...UNLIMITED,
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl,
        WEB_UI: 'off',
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const replica = new Replica(child, `http://127.0.0.1:${port}`);
    for (let tries = 0; tries < 600; tries++) {
      const response = await fetch(`${replica.url}/ready`).catch(() => null);
      if (response?.ok === true) return replica;
      await pause(100);
    }
    throw new Error('The service does not start.');
  }

  /** Ends it without a word. */
  kill(): void {
    this.isKilled = true;
    this.child.kill('SIGKILL');
  }

  /** Stops it, if it was not killed. */
  async stop(): Promise<void> {
    if (this.isKilled) return;
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}
