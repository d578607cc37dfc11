import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { agentServerVersion, ensureAgentServer } from '../../../scripts/agent-server-environment';
import { findPython } from '../../../scripts/find-python';
import { pythonPrefix } from '../../../scripts/reachable-python';
import { ContainerEngine } from '../containers/container-engine';
import { ClusterFixture } from '../kubernetes/cluster-fixture';
import { serviceAccount } from '../kubernetes/service-account';
import { TestCluster } from '../kubernetes/test-cluster';
import type { ConversationService } from '../service/conversation-service';

/** What the sandboxes of a story with the real agent server run on. */
export interface StorySandboxes {
  /** The address of this machine at which they reach the service, the model and repositories. */
  readonly host: string;
  readonly env: Readonly<Record<string, string>>;
  /** Kills the agent server of a sandbox, as an accident does. */
  kill(service: ConversationService, sandboxId: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Processes of this machine; or, as `STORY_DRIVER` says, containers of an engine of their own (`docker`), or pods of a
 * cluster (`kubernetes`), with an image that such an engine builds.
 */
export function storySandboxes(): Promise<StorySandboxes> {
  const { STORY_DRIVER: driver } = process.env;
  if (driver === 'kubernetes') return pods();
  return driver === undefined ? processes() : containers();
}

async function processes(): Promise<StorySandboxes> {
  const { command } = await ensureAgentServer();
  return {
    host: '127.0.0.1',
    env: { SANDBOX_DRIVER: 'process', SANDBOX_ISOLATION: 'none', AGENT_SERVER_COMMAND: command },
    kill: (service, sandboxId) => service.killAgentServer(sandboxId),
    close: () => Promise.resolve(),
  };
}

async function containers(): Promise<StorySandboxes> {
  const engine = await ContainerEngine.start();
  try {
    const image = await buildImage(engine);
    const host = await engine.hostAddress();
    return {
      host,
      env: { HOST: host, SANDBOX_DRIVER: 'docker', DOCKER_HOST: engine.address, SANDBOX_IMAGE: image },
      kill: async (_service, sandboxId) => {
        await engine.docker('kill', `sandbox-${sandboxId}`);
      },
      close: () => engine.stop(),
    };
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

async function pods(): Promise<StorySandboxes> {
  const cluster = await TestCluster.shared();
  const env = await withRealImage(cluster);
  const namespace = await cluster.makeNamespace('story', {
    'pod-security.kubernetes.io/enforce': 'restricted',
  });
  const fixture = await ClusterFixture.open(cluster, namespace, await serviceAccount(cluster, namespace));
  const { host, env: own } = fixture;
  // The library finds the cluster by the environment of this process, in which the service runs.
  process.env.KUBECONFIG = own.KUBECONFIG;
  return {
    host,
    env: { ...own, ...env, HOST: host },
    kill: (_service, sandboxId) => fixture.kill(sandboxId),
    close: async () => {
      await fixture.close();
      await cluster.close();
    },
  };
}

/**
 * Gives a cluster the image with the real agent server, built with an engine that is not needed any more then.
 * @returns the settings of a service for it
 */
export async function withRealImage(cluster: TestCluster): Promise<Readonly<Record<string, string>>> {
  const image = 'localhost/sandbox:real';
  const env = { SANDBOX_IMAGE: image, SANDBOX_MEMORY_MEBIBYTES: '1024', SANDBOX_DISK_MEBIBYTES: '1024' };
  if (await cluster.hasImage(image)) return env;
  const folder = await mkdtemp(join(tmpdir(), 'story-image-'));
  const archive = join(folder, 'image.tar');
  const engine = await ContainerEngine.start();
  try {
    await engine.docker('tag', await buildImage(engine), image);
    await engine.docker('save', '--output', archive, image);
    await cluster.program('cluster', 'image', cluster.folder, archive);
    return env;
  } finally {
    await engine.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What Python is linked with, beside what every Debian has. */
const LIBRARIES =
  'libbz2-1.0 libexpat1 libffi8 liblzma5 libncursesw6 libreadline8 libsqlite3-0 libssl3 libuuid1 zlib1g';

/** Builds the image as it is documented, on this machine's Python: there need be no registry. @returns its name */
async function buildImage(engine: ContainerEngine): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'python-image-'));
  try {
    const prefix = await pythonPrefix(await findPython());
    const filter = (path: string): boolean =>
      !['test', '__pycache__', 'site-packages'].includes(basename(path));
    await cp(prefix, join(folder, 'python'), { recursive: true, verbatimSymlinks: true, filter });
    await writeFile(
      join(folder, 'Dockerfile'),
      `FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ${LIBRARIES}
COPY python /usr/local
RUN ldconfig
ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt
`,
    );
    const build = ['build', '--network', 'host', '--tag'];
    await engine.docker(...build, 'python:story', folder);
    const version = agentServerVersion();
    const image = `sandbox:${version}`;
    const args = Object.entries({ PYTHON_IMAGE: 'python:story', AGENT_SERVER_VERSION: version });
    const given = args.flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
    await engine.docker(...build, image, ...given, '--file', 'docker/sandbox/Dockerfile', '.');
    return image;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
