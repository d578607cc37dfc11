import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ClusterAccess } from '../../../src/drivers/kubernetes/cluster/cluster-access';
import { ClusterApi } from '../../../src/drivers/kubernetes/cluster/cluster-api';
import { EMBEDDED_ENTRYPOINT, makeEmbeddedRoot } from '../../../scripts/images/embedded-root';
import { compiledSources, ROOT } from '../compiled/compiled-sources';
import { eventually } from '../eventually';
import { describeNeeding } from '../needs';
import { environmentOfRun } from '../run/worker-folder';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const IMAGE_WITHIN_MS = 120_000;

/** The variable by which jest's workers find the one cluster of a test run. */
const FOLDER_VARIABLE = 'TEST_CLUSTER';
const PROXIED_ADDRESS = /server: "([^"]+)"/;

/** The folder with the programs `cluster` and `image`, which start one and make images for it. */
const kit = process.env.KUBERNETES_KIT;

let reserved: string | undefined;

/** The image of sandboxes, which the cluster of the tests has. */
export const SANDBOX_IMAGE = 'localhost/sandbox:test';

/**
 * Like `describe`, for tests that need a Kubernetes cluster: `KUBERNETES_KIT` says how to start one. Without it they fail where
 * `REQUIRE_ENGINES` is set; elsewhere they are skipped.
 */
export function describeWithCluster(name: string, tests: () => void): void {
  const isThere = kit !== undefined || process.env.REQUIRE_ENGINES !== undefined;
  describeNeeding(isThere, 'KUBERNETES_KIT: a folder with the programs cluster and image', name, tests);
}

/**
 * Reserves a folder for the cluster of a test run, which is started by the first test that needs it. Who works on these tests
 * names a folder in `TEST_CLUSTER`: its cluster stays.
 */
export async function reserveCluster(): Promise<void> {
  if (kit === undefined || process.env[FOLDER_VARIABLE] !== undefined) return;
  process.env[FOLDER_VARIABLE] = reserved = await mkdtemp(join(tmpdir(), 'cluster-'));
}

/** Ends the cluster of a test run, if there is one, and removes all that it had. */
export async function removeCluster(): Promise<void> {
  const folder = reserved;
  if (folder === undefined || kit === undefined) return;
  if (existsSync(join(folder, 'run')))
    await run(join(resolve(ROOT, kit), 'cluster'), ['stop', folder, '--purge']);
  await rm(folder, { recursive: true, force: true });
}

/** The address of an API server. For a moment there is none, as the kit writes the file anew at each start. */
async function addressIn(kubeconfig: string): Promise<string> {
  const address = PROXIED_ADDRESS.exec(await readFile(kubeconfig, 'utf8'))?.[1];
  if (address === undefined) throw new Error(`${kubeconfig} has no address.`);
  return address;
}

/** A Kubernetes cluster of one node with agent-sandbox, as its administrator sees it. */
export class TestCluster {
  private constructor(
    private readonly programs: string,
    readonly folder: string,
    /** Its API server. */
    readonly server: string,
    private readonly token: string,
    private readonly authority: string,
    /** Calls with all rights. */
    readonly api: ClusterApi,
  ) {}

  /** The cluster of this test run, started if it does not run yet; it has the image of sandboxes. */
  static async shared(): Promise<TestCluster> {
    const folder = process.env[FOLDER_VARIABLE];
    if (folder === undefined) throw new Error('KUBERNETES_KIT is not set.');
    const cluster = await TestCluster.start(folder);
    await cluster.makeImageOnce();
    return cluster;
  }

  /** One of its own, in a folder that is not there yet. */
  static async start(folder: string, options: readonly string[] = []): Promise<TestCluster> {
    if (kit === undefined) throw new Error('KUBERNETES_KIT is not set.');
    const programs = resolve(ROOT, kit);
    // On a busy machine it may take longer than the kit waits, which goes on where it was.
    await eventually(
      () => run(join(programs, 'cluster'), ['start', folder, ...options], { env: environmentOfRun() }),
      300_000,
    );
    const server = await eventually(() => addressIn(join(folder, 'kubeconfig')));
    const token = await readFile(join(folder, 'token'), 'utf8');
    const authority = await readFile(join(folder, 'pki/ca.crt'), 'utf8');
    const access = accessOf({ server, token, authority, namespace: 'default' });
    return new TestCluster(programs, folder, server, token, authority, new ClusterApi(access));
  }

  /** How somebody gets in: with a token, default the administrator's, or at another address. */
  access({
    namespace = 'default',
    token = this.token,
    server = this.server,
    isInside = false,
  } = {}): ClusterAccess {
    return { ...accessOf({ server, token, authority: this.authority, namespace }), isInside };
  }

  /** Writes a kubeconfig for a token. @returns its path */
  async kubeconfig(
    name: string,
    namespace: string,
    token = this.token,
    server = this.server,
  ): Promise<string> {
    const path = join(this.folder, `${name}.kubeconfig`);
    const authority = Buffer.from(this.authority).toString('base64');
    await writeFile(
      path,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'test',
        clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': authority } }],
        users: [{ name: 'test', user: { token } }],
        contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
      }),
    );
    return path;
  }

  /** The address of this machine in the network of the pods. */
  async hostAddress(): Promise<string> {
    const bridge = (await readFile(join(this.folder, 'run/bridge'), 'utf8')).trim();
    // Node does not list it while it has no pods.
    const { stdout } = await run('ip', ['-o', '-4', 'address', 'show', 'dev', bridge]);
    const address = /inet ([\d.]+)/.exec(stdout)?.[1];
    if (address === undefined) throw new Error(`The bridge ${bridge} has no address.`);
    return address;
  }

  /** Makes a namespace with a name of its own, for one test file. */
  async makeNamespace(prefix: string, labels: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = `${prefix}-${Math.random().toString(36).slice(2, 8)}`;
    await this.api.create('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
    });
    return name;
  }

  /** A program of the kit. */
  async program(name: string, ...args: readonly string[]): Promise<string> {
    return (await run(join(this.programs, name), args, { maxBuffer: MAX_OUTPUT_BYTES })).stdout.trim();
  }

  /** Whether it has an image, as one that somebody keeps may. */
  async hasImage(name: string): Promise<boolean> {
    const socket = join(this.folder, 'run/containerd.sock');
    const args = ['-a', socket, '-n', 'k8s.io', 'images', 'ls', '-q', `name==${name}`];
    return (await run('ctr', args)).stdout.trim() !== '';
  }

  async close(): Promise<void> {
    await this.api.close();
  }

  /** Of test files that run beside each other, the first one makes it. */
  private async makeImageOnce(): Promise<void> {
    const done = join(this.folder, 'image.done');
    const isFirst = await mkdir(join(this.folder, 'image')).then(
      () => true,
      () => false,
    );
    if (isFirst) {
      await this.makeImage();
      await writeFile(done, '');
    }
    await eventually(() => {
      if (!existsSync(done)) throw new Error('The image of sandboxes is not made yet.');
    }, IMAGE_WITHIN_MS);
  }

  private async makeImage(): Promise<void> {
    const root = await makeEmbeddedRoot(compiledSources('src'), ROOT);
    const archive = `${root}.tar`;
    const config = { Entrypoint: EMBEDDED_ENTRYPOINT, User: '1000:1000', WorkingDir: '/' };
    try {
      await this.program('image', SANDBOX_IMAGE, root, archive, JSON.stringify(config));
      await this.program('cluster', 'image', this.folder, archive);
    } finally {
      for (const path of [root, archive]) await rm(path, { recursive: true, force: true });
    }
  }
}

function accessOf(to: {
  readonly server: string;
  readonly token: string;
  readonly authority: string;
  readonly namespace: string;
}): ClusterAccess {
  const { server, token, authority, namespace } = to;
  return {
    server,
    namespace,
    isInside: false,
    credentials: () =>
      Promise.resolve({
        version: token,
        tls: { ca: authority },
        headers: ['authorization', `Bearer ${token}`],
      }),
  };
}
