import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readSettings } from '../../src/kernel/config';
import { Engine } from '../../src/drivers/docker/engine';
import { Networks } from '../../src/drivers/docker/network/networks';
import { EMBEDDED_ENTRYPOINT, makeEmbeddedRoot } from '../images/embedded-root';
import { type DemoClient, itemsOf } from './demo-client';

const ROOT = dirname(dirname(__dirname));
const IMAGE = 'org-conversation-service-demo:embedded';
const END_MS = 60_000;

/**
 * The settings of a service whose sandboxes are containers: of `SANDBOX_IMAGE`, or of an image that is made of this machine's
 * programs, with the embedded agent server, which needs no model.
 * @param env its environment otherwise
 * @param port the one it will have
 * @throws Error when that image's agent has no model, or the engine no network
 */
export async function containerSettings(
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<Record<string, string>> {
  const settings = readSettings(env);
  if (settings.SANDBOX_IMAGE !== undefined && settings.LLM_MODEL === undefined)
    throw new Error(
      'the agent of SANDBOX_IMAGE needs a model: set LLM_MODEL and LLM_API_KEY, or leave SANDBOX_IMAGE out for an image of the demo itself',
    );
  const engine = new Engine(settings);
  const image = settings.SANDBOX_IMAGE ?? (await makeImage(engine));
  const host = await new Networks(engine, settings.DOCKER_SUBNETS).hostAddress();
  if (host === null)
    throw new Error('the engine has no network of its own; start the service by hand (docs/docker.md)');
  return {
    SANDBOX_DRIVER: 'docker',
    SANDBOX_IMAGE: image,
    // Where people find it stays loopback.
    HOST: '0.0.0.0',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    CALLBACK_URL: settings.CALLBACK_URL ?? `http://${host}:${port}`,
    LLM_MODEL: settings.LLM_MODEL ?? 'echo',
  };
}

/** Containers outlive the service: those of the demo are deleted before it ends. */
export async function deleteContainers(client: DemoClient): Promise<void> {
  const left = async (): Promise<string[]> => {
    const page = await client.call('GET', '/api/v1/sandboxes/search?limit=100');
    return itemsOf(page).flatMap(({ id, status }) => (status === 'MISSING' ? [] : [String(id)]));
  };
  for (const id of await left()) await client.call('DELETE', `/api/v1/sandboxes/${id}`);
  const deadline = Date.now() + END_MS;
  while ((await left()).length > 0 && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 200));
}

async function makeImage(engine: Engine): Promise<string> {
  const compiled = join(ROOT, 'dist');
  if (!existsSync(join(compiled, 'main.js'))) throw new Error('nothing is built yet: npm run build');
  const root = await makeEmbeddedRoot(compiled, ROOT);
  try {
    const archive = spawn('tar', ['-C', root, '--numeric-owner', '-c', '.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await engine.use(async (docker) => {
      const changes = `ENTRYPOINT ${JSON.stringify(EMBEDDED_ENTRYPOINT)}`;
      const [repo, tag] = IMAGE.split(':');
      const progress = await docker.importImage(archive.stdout, { repo, tag, changes });
      await new Promise<void>((done, fail) =>
        docker.modem.followProgress(progress, (error) => (error === null ? done() : fail(error))),
      );
    });
    return IMAGE;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
