import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DataDir } from '../../src/data-dir';
import { DemoClient, recordOf } from './demo-client';
import { containerSettings, deleteContainers } from './demo-containers';
import { say } from './screen';

const ROOT = dirname(dirname(__dirname));
const START_MS = 120_000;
const KEY_MS = 3_600_000;
/** As shells report it. */
const INTERRUPTED = 130;
const run = promisify(execFile);

/** The service the demo talks to. */
export interface DemoService {
  readonly url: string;
  readonly key: string;
  readonly isOwn: boolean;
  /** Stops the service if the demo started it. */
  stop(): Promise<void>;
}

/**
 * The service at `DEMO_URL`, or the one that runs with `DATA_DIR`; where there is none, one that is started in a temporary
 * folder. The key is `DEMO_KEY`, else a new one for an hour, issued with the command line. Who merely listens on the usual
 * port is not given one.
 * @param receiver the `host:port` that a service of the demo's own may call back
 * @param driver `docker` for a service of its own whose sandboxes are containers
 */
export async function serviceForDemo(
  env: NodeJS.ProcessEnv,
  receiver: string,
  driver: string | undefined,
): Promise<DemoService> {
  if (driver === 'docker') return startOwn({ ...env, WEBHOOK_ALLOWED_HOSTS: receiver }, true);
  if (driver !== undefined) throw new Error(`there is a demo of the driver docker, not of ${driver}`);
  const { DEMO_URL, DEMO_KEY, DATA_DIR } = env;
  const dataDir = resolve(ROOT, DATA_DIR ?? '.data');
  const url = DEMO_URL ?? (await DataDir.addressOf(dataDir));
  if (url !== null && (await answers(url)))
    return { url, key: DEMO_KEY ?? (await issueKey(env)), isOwn: false, stop: () => Promise.resolve() };
  if (DEMO_URL !== undefined) throw new Error(`no service answers at ${DEMO_URL}`);
  say(`No service runs with ${dataDir} (DEMO_URL names another): one is started, and ends with the demo.`);
  return startOwn({ ...env, WEBHOOK_ALLOWED_HOSTS: receiver }, false);
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/server_info`).catch(() => null);
  if (!response?.ok) return false;
  const { title } = recordOf(await response.json().catch(() => null));
  return title === 'Organization Conversation Service';
}

async function issueKey(env: NodeJS.ProcessEnv): Promise<string> {
  const end = new Date(Date.now() + KEY_MS).toISOString();
  const command = [join(ROOT, 'scripts', 'cli.mjs'), 'key:issue', '--owner', '--expires-at', end];
  try {
    const { stdout } = await run(process.execPath, command, { cwd: ROOT, env });
    const { key } = recordOf(JSON.parse(stdout));
    if (typeof key === 'string') return key;
  } catch {
    // Reported below: the remedy is the same.
  }
  throw new Error('no key could be made for the service that runs; give one as DEMO_KEY');
}

async function startOwn(env: NodeJS.ProcessEnv, inContainers: boolean): Promise<DemoService> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { ...env, ...(inContainers && (await containerSettings(env, port))) };
  const folder = await mkdtemp(join(tmpdir(), 'ocs-demo-'));
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'start.mjs')], {
    cwd: ROOT,
    env: { ...own, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
    // Ctrl+C is for this process only, which has the containers deleted first.
    detached: inContainers,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const keyFile = join(folder, 'owner.key');
  const deleteSandboxes = async (): Promise<void> =>
    deleteContainers(new DemoClient(url, (await readFile(keyFile, 'utf8')).trim()));
  const stop = async (): Promise<void> => {
    if (inContainers && child.exitCode === null)
      await deleteSandboxes().catch((error: unknown) =>
        process.stderr.write(`Containers of the demo may be left: ${String(error)}\n`),
      );
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const interrupted = (): void => void stop().finally(() => process.exit(INTERRUPTED));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const deadline = Date.now() + START_MS;
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error('the service did not start');
      if (Date.now() > deadline) throw new Error('the service took too long to start');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return { url, key: (await readFile(keyFile, 'utf8')).trim(), isOwn: true, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
