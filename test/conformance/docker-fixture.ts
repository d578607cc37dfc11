import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { EMBEDDED_ENTRYPOINT, makeEmbeddedRoot } from '../../scripts/images/embedded-root';
import { compiledSources, ROOT } from '../support/compiled/compiled-sources';
import { ContainerEngine } from '../support/containers/container-engine';
import type { DriverFixture } from './driver-under-test';

const IMAGE = 'agent-server:embedded';
const METADATA_PORT = 8_169;
const run = promisify(execFile);
const FORWARDING = '/proc/sys/net/ipv4/ip_forward';

/** As the suite wants it, and the engine. */
export interface DockerFixture extends DriverFixture {
  readonly engine: ContainerEngine;
}

/** An engine of its own, with a small image of the embedded agent server. */
export async function openDocker(): Promise<DockerFixture> {
  const engine = await ContainerEngine.startEmpty();
  const root = await makeEmbeddedRoot(compiledSources('src'), ROOT);
  await engine
    .importRoot(IMAGE, root, EMBEDDED_ENTRYPOINT)
    .finally(() => rm(root, { recursive: true, force: true }));
  // So that nothing but the rules keeps containers from each other.
  const forwarding = await readFile(FORWARDING, 'utf8');
  await writeFile(FORWARDING, '1');
  const host = await engine.hostAddress();
  const name = (id: string): string => `sandbox-${id}`;
  const inspect = (id: string, format: string): Promise<string> =>
    engine.docker('container', 'inspect', '--format', format, name(id));
  // An address of metadata, and of a private network, that leads somewhere: both go with the bridge.
  const strange = ['169.254.169.254', '192.168.213.213'];
  const bridge = await engine.bridge();
  for (const address of strange) await run('ip', ['address', 'add', `${address}/32`, 'dev', bridge]);
  const listeners = strange.map((address) => createServer().listen(METADATA_PORT, address));
  return {
    engine,
    host,
    forbidden: strange.map((address) => `http://${address}:${METADATA_PORT}`),
    env: { SANDBOX_DRIVER: 'docker', DOCKER_HOST: engine.address, SANDBOX_IMAGE: IMAGE, LLM_MODEL: 'echo' },
    kill: async (id) => {
      await engine.docker('kill', name(id));
    },
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
    close: async () => {
      for (const listener of listeners) listener.close();
      await engine.stop();
      await writeFile(FORWARDING, forwarding);
    },
  };
}
