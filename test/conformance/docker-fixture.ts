import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { rm } from 'node:fs/promises';
import { EMBEDDED_ENTRYPOINT, makeEmbeddedRoot } from '../../scripts/images/embedded-root';
import { compiledSources, ROOT } from '../support/compiled/compiled-sources';
import { ContainerEngine } from '../support/containers/container-engine';
import { openForwarding } from '../support/containers/public-host';
import type { OwnFixture } from './driver-under-test';

const IMAGE = 'agent-server:embedded';
const METADATA_PORT = 8_169;
const run = promisify(execFile);

/** As the suite wants it, and the engine. */
export interface DockerFixture extends OwnFixture {
  readonly engine: ContainerEngine;
}

/** An engine of its own, with a small image of the embedded agent server. */
export async function openDocker(): Promise<DockerFixture> {
  // First: an engine that nobody ends keeps folders mounted.
  const root = await makeEmbeddedRoot(compiledSources('src'), ROOT);
  const engine = await ContainerEngine.startEmpty();
  try {
    await engine.importRoot(IMAGE, root, EMBEDDED_ENTRYPOINT);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  const host = await engine.hostAddress();
  // Engines beside it choose theirs by themselves, and hear of no others.
  const [, second = 0, third = 0] = host.split('.').map(Number);
  const DOCKER_SUBNETS = `10.${50 + (second % 40)}.${third & ~3}.0/22`;
  const name = (id: string): string => `sandbox-${id}`;
  const inspect = (id: string, format: string): Promise<string> =>
    engine.docker('container', 'inspect', '--format', format, name(id));
  return {
    engine,
    host,
    forbidden: [],
    openWays: async (ids) => {
      const bridge = '{{index .Options "com.docker.network.bridge.name"}}';
      for (const id of ids) {
        const found = await engine.docker('network', 'inspect', name(id), '--format', bridge);
        await openForwarding(found);
      }
    },
    env: {
      SANDBOX_DRIVER: 'docker',
      DOCKER_HOST: engine.address,
      DOCKER_SUBNETS,
      SANDBOX_IMAGE: IMAGE,
      LLM_MODEL: 'echo',
    },
    kill: async (id) => {
      await engine.docker('kill', name(id));
    },
    runs: async (id) => (await engine.docker('ps', '--quiet', '--filter', `name=${name(id)}`)) !== '',
    remains: async (id) => {
      const kinds = ['container', 'volume', 'network'] as const;
      const found = kinds.map(async (kind) => {
        const all = kind === 'container' ? ['--all'] : [];
        const format = kind === 'container' ? '{{.Names}}' : '{{.Name}}';
        const names = await engine.docker(
          kind,
          'ls',
          ...all,
          '--filter',
          `name=${name(id)}`,
          '--format',
          format,
        );
        return names === '' ? [] : [`${kind} ${names}`];
      });
      return (await Promise.all(found)).flat();
    },
    address: async (id) =>
      `http://${await inspect(id, '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}')}:8000`,
    takeAway: () => engine.kill(),
    visible: (id) => engine.docker('inspect', name(id)),
    close: () => engine.stop(),
  };
}

/** As {@link openDocker}, with addresses of a cloud's metadata and of a private network that lead somewhere. */
export async function openDockerAmongOthers(): Promise<DockerFixture> {
  const fixture = await openDocker();
  const addresses = ['169.254.169.254', '192.168.213.213'];
  // They go with the bridge.
  const bridge = await fixture.engine.bridge();
  for (const address of addresses) await run('ip', ['address', 'add', `${address}/32`, 'dev', bridge]);
  const listeners = addresses.map((address) => createServer().listen(METADATA_PORT, address));
  return {
    ...fixture,
    forbidden: addresses.map((address) => `http://${address}:${METADATA_PORT}`),
    close: async () => {
      for (const listener of listeners) listener.close();
      await fixture.close();
    },
  };
}
