import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DemoClient, recordOf } from './demo-client';
import { containerSettings, deleteContainers } from './demo-containers';
import { say } from './screen';

const ROOT = dirname(dirname(__dirname));
const START_MS = 120_000;
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
 * The service at `DEMO_URL`, or the one that runs with `DATA_DIR` or on `PORT` of this machine; where none answers, one that
 * is started in a temporary folder. The key is `DEMO_KEY`, else a new one issued with the command line.
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
  const urls = await addressesOf(env);
  for (const url of urls)
    if (await answers(url)) {
      const key = env.DEMO_KEY ?? (await issueKey(env));
      return { url, key, isOwn: false, stop: () => Promise.resolve() };
    }
  if (env.DEMO_URL !== undefined) throw new Error(`no service answers at ${env.DEMO_URL}`);
  say(`No service answers at ${urls.join(' or ')}: one is started, and ends with the demo.`);
  return startOwn({ ...env, WEBHOOK_ALLOWED_HOSTS: receiver }, false);
}

/** Where the service may be. */
async function addressesOf({ DEMO_URL, DATA_DIR, PORT }: NodeJS.ProcessEnv): Promise<string[]> {
  if (DEMO_URL !== undefined) return [DEMO_URL];
  const ofDataDir = await readFile(join(resolve(ROOT, DATA_DIR ?? '.data'), 'address'), 'utf8').catch(
    () => '',
  );
  const ofPort = `http://127.0.0.1:${PORT ?? '3000'}`;
  const urls = PORT === undefined ? [ofDataDir.trim(), ofPort] : [ofPort, ofDataDir.trim()];
  return [...new Set(urls)].filter((url) => url !== '');
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/server_info`).catch(() => null);
  if (!response?.ok) return false;
  const { title } = recordOf(await response.json().catch(() => null));
  return title === 'Organization Conversation Service';
}

async function issueKey(env: NodeJS.ProcessEnv): Promise<string> {
  const email = env.BOOTSTRAP_EMAIL ?? 'owner@localhost.example';
  const cli = join(ROOT, 'scripts', 'cli.mjs');
  try {
    const { stdout } = await run(process.execPath, [cli, 'key:issue', '--email', email], { cwd: ROOT, env });
    const { key } = recordOf(JSON.parse(stdout));
    if (typeof key === 'string') return key;
  } catch {
    // Reported below: the remedy is the same.
  }
  throw new Error('no key could be made for the service that runs; give one as DEMO_KEY');
}

async function startOwn(env: NodeJS.ProcessEnv, inContainers: boolean): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'ocs-demo-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { ...env, ...(inContainers && (await containerSettings(env, port))) };
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
