import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOfNode, ROOT, scriptOf } from '../../support/compiled/compiled-sources';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { nextPort } from '../../support/service/free-port';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'kept-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The service as `npm start` and the program of the package run it. */
class Kept {
  private output = '';
  readonly ended: Promise<number | string>;

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.ended = new Promise((resolve) =>
      child.once('close', (code, signal) => resolve(code ?? signal ?? '')),
    );
  }

  static start(env: Readonly<Record<string, string>> = {}): Kept {
    const { path, execArgv } = scriptOf(join(ROOT, 'src', 'bin'));
    return new Kept(
      spawn(process.execPath, [...execArgv, path], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...environmentOfNode(),
          PORT: `${nextPort()}`,
          DATA_DIR: folder,
          SANDBOX_DRIVER: 'external',
          AGENT_SERVER_URL: 'http://127.0.0.1:9',
          AGENT_SERVER_API_KEY: 'key',
          DATABASE_URL: database.url,
          SECRET_KEY: 'a-secret-key-of-tests-0123456789',
          ...env,
        },
      }),
    );
  }

  /** The process of the service that has become ready as the so manieth. */
  ready(count: number): Promise<number> {
    return eventually(async () => {
      expect(this.output.match(/The service is ready/g)).toHaveLength(count);
      return Number(await readFile(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8'));
    });
  }

  /** Where it listens. */
  get url(): string {
    return /ready: API ([^,]+),/.exec(this.output)?.[1] ?? '';
  }

  get text(): string {
    return this.output;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  get pid(): number {
    return this.child.pid!;
  }
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('starts again after a crash, each time later, and ends with a signal', async () => {
  const kept = Kept.start();
  for (const [count, seconds] of [
    [1, 1],
    [2, 2],
  ] as const) {
    process.kill(await kept.ready(count), 'SIGKILL');
    await eventually(() => expect(kept.text).toContain(`(SIGKILL) and starts again in ${seconds} s.`));
  }
  const last = await kept.ready(3);
  kept.signal('SIGTERM');
  expect(await kept.ended).toBe(0);
  expect(isThere(last)).toBe(false);
});

describe('an error that nobody handled', () => {
  const require = `--require ${join(ROOT, 'test', 'support', 'peers', 'throw-on-signal.cjs')}`;

  it('is told and nothing more where it came out of a connection', async () => {
    const kept = Kept.start({ NODE_OPTIONS: require });
    const pid = await kept.ready(1);
    for (const count of [1, 2, 3]) {
      process.kill(pid, 'SIGUSR2');
      await eventually(() =>
        expect(kept.text.match(/ECONNRESET.*A connection failed, and nobody handled that\./g)).toHaveLength(
          count,
        ),
      );
      expect((await fetch(`${kept.url}/ready`)).status).toBe(200);
    }
    expect(kept.text).not.toContain('starts again');
    kept.signal('SIGTERM');
    expect(await kept.ended).toBe(0);
  });

  it('ends the service where it is one of programming, and it starts again', async () => {
    const kept = Kept.start({ NODE_OPTIONS: require });
    process.kill(await kept.ready(1), 'SIGHUP');
    await eventually(() => expect(kept.text).toContain('(exit code 1) and starts again in 1 s.'));
    expect(kept.text).toMatch(/TypeError.*The service ends by an error of its own\./);
    await kept.ready(2);
    expect((await fetch(`${kept.url}/ready`)).status).toBe(200);
    kept.signal('SIGTERM');
    expect(await kept.ended).toBe(0);
  });
});

it('ends while it waits for its next start', async () => {
  const kept = Kept.start();
  process.kill(await kept.ready(1), 'SIGKILL');
  await eventually(() => expect(kept.text).toContain('starts again'));
  kept.signal('SIGINT');
  expect(await kept.ended).toBe(130);
});

it('does not start again after a start that failed', async () => {
  const kept = Kept.start({ SECRET_KEY: 'short' });
  expect(await kept.ended).toBe(1);
  expect(kept.text).toContain('SECRET_KEY');
  expect(kept.text).not.toContain('starts again');
});

it('leaves no service when it is killed', async () => {
  const kept = Kept.start();
  const pid = await kept.ready(1);
  kept.signal('SIGKILL');
  await eventually(() => expect(isThere(pid)).toBe(false));
});
