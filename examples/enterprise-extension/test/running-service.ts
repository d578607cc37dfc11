import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const PATIENCE_MS = 60_000;
const ROOT = join(__dirname, '..', '..');
const BIN = join(dirname(require.resolve('org-conversation-service/package.json')), 'dist', 'bin.js');

/** What the API answered. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The service in a process of its own. */
export class RunningService {
  private constructor(
    private readonly child: ChildProcess,
    private readonly env: NodeJS.ProcessEnv,
    readonly url: string,
  ) {}

  /**
   * Starts it and waits until it is ready.
   * @param program a file of this package, or null for the stock program
   */
  static async start(
    program: string | null,
    settings: Readonly<Record<string, string>>,
  ): Promise<RunningService> {
    const env = { PATH: process.env.PATH, PORT: '0', ...settings };
    const file = program === null ? BIN : join(ROOT, 'dist', program);
    const child = spawn(process.execPath, [file], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const url = await new Promise<string>((ready, failed) => {
      let output = '';
      const read = (part: Buffer): void => {
        output += part.toString();
        const found = /ready: API ([^,]+),/.exec(output)?.[1];
        if (found !== undefined) ready(found);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', () => failed(new Error(output)));
    });
    return new RunningService(child, env, url);
  }

  /** The key of the first user, an owner. */
  async ownerKey(): Promise<string> {
    return (await readFile(join(this.env.DATA_DIR ?? '', 'owner.key'), 'utf8')).trim();
  }

  /** Runs `org-conversation-service cli …`. @returns its JSON */
  async cli(...args: string[]): Promise<unknown> {
    const { stdout } = await promisify(execFile)(process.execPath, [BIN, 'cli', ...args], {
      cwd: ROOT,
      env: this.env,
    });
    return JSON.parse(stdout) as unknown;
  }

  async call(method: string, path: string, key: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'X-Access-Token': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json().catch(() => null) };
  }

  /** Sends a signal, unless it has ended. @returns the exit code */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const ended = new Promise<number | null>((exited) => this.child.once('exit', exited));
    this.child.kill('SIGTERM');
    return ended;
  }
}

/** Repeats an assertion until it holds. */
export async function eventually<T>(assertion: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
