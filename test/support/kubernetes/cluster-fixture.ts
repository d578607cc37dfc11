import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { nameOf, SANDBOX_ID } from '../../../src/drivers/kubernetes/objects/labels';
import { pathOf, type Resource } from '../../../src/drivers/kubernetes/objects/paths';
import type { OwnFixture } from '../../conformance/driver-under-test';
import { Gate } from './gate';
import { SANDBOX_IMAGE, type TestCluster } from './test-cluster';

const run = promisify(execFile);

const podSchema = z.object({
  metadata: z.object({ name: z.string(), uid: z.string(), deletionTimestamp: z.string().optional() }),
  status: z.object({
    podIP: z.string().optional(),
    phase: z.string().default(''),
    containerStatuses: z.array(z.object({ containerID: z.string().default('') })).default([]),
  }),
});
export type PodOfSandbox = z.infer<typeof podSchema>;
const namedList = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });

/** A namespace of the cluster for the sandboxes of one service, outside of the cluster, that may do what its role allows. */
export class ClusterFixture implements OwnFixture {
  private constructor(
    readonly cluster: TestCluster,
    readonly namespace: string,
    readonly host: string,
    private readonly gate: Gate,
    private readonly own: Readonly<Record<string, string>>,
  ) {}

  /**
   * @param token of a service account; default: the administrator's
   * @param more settings that differ
   */
  static async open(
    cluster: TestCluster,
    namespace: string,
    token?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<ClusterFixture> {
    const gate = await Gate.open(() => cluster.server);
    const kubeconfig = await cluster.kubeconfig(
      namespace,
      namespace,
      token,
      `https://127.0.0.1:${gate.port}`,
    );
    const own = { KUBECONFIG: kubeconfig, KUBERNETES_NAMESPACE: namespace, ...more };
    return new ClusterFixture(cluster, namespace, await cluster.hostAddress(), gate, own);
  }

  get env(): Record<string, string> {
    return {
      SANDBOX_DRIVER: 'kubernetes',
      SANDBOX_IMAGE,
      SANDBOX_MEMORY_MEBIBYTES: '256',
      SANDBOX_CPUS: '1',
      SANDBOX_DISK_MEBIBYTES: '64',
      LLM_MODEL: 'echo',
      KUBERNETES_POD_ACCESS: 'address',
      ...this.own,
    };
  }

  /** Policies are objects here, which nobody enforces. */
  readonly forbidden: readonly string[] = [];

  /** The pod of a sandbox that is not about to end. */
  async pod(sandboxId: string): Promise<PodOfSandbox> {
    const pod = (await this.pods(sandboxId)).find(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (pod === undefined) throw new Error(`Sandbox ${sandboxId} has no pod.`);
    return pod;
  }

  /** Also when it is about to end. */
  async runs(sandboxId: string): Promise<boolean> {
    return (await this.pods(sandboxId)).length > 0;
  }

  private async pods(sandboxId: string): Promise<PodOfSandbox[]> {
    const selector = { labelSelector: `${SANDBOX_ID}=${sandboxId}` };
    const found = await this.cluster.api.get(pathOf('pods', this.namespace), selector);
    return z.object({ items: z.array(podSchema) }).parse(found).items;
  }

  async kill(sandboxId: string): Promise<void> {
    const { status } = await this.pod(sandboxId);
    const id = status.containerStatuses[0]?.containerID.replace(/^.*\/\//, '') ?? '';
    const socket = join(this.cluster.folder, 'run/containerd.sock');
    await run('ctr', ['-a', socket, '-n', 'k8s.io', 'tasks', 'kill', '-s', 'SIGKILL', id]);
  }

  async remains(sandboxId: string): Promise<readonly string[]> {
    const kinds: readonly Resource[] = ['sandboxes', 'pods', 'secrets', 'sandboxclaims'];
    const found = kinds.map(async (kind) => {
      const { items } = namedList.parse(
        await this.cluster.api.get(pathOf(kind, this.namespace), {
          labelSelector: `${SANDBOX_ID}=${sandboxId}`,
        }),
      );
      return items.map(({ metadata }) => `${kind}/${metadata.name}`);
    });
    const volumes = namedList.parse(
      await this.cluster.api.get(`/api/v1/namespaces/${this.namespace}/persistentvolumeclaims`),
    );
    const own = volumes.items.filter(({ metadata }) => metadata.name.endsWith(nameOf(sandboxId)));
    return [...(await Promise.all(found)).flat(), ...own.map(({ metadata }) => `volume ${metadata.name}`)];
  }

  async address(sandboxId: string): Promise<string> {
    const { status } = await this.pod(sandboxId);
    return `http://${status.podIP ?? ''}:8000`;
  }

  takeAway(): Promise<() => Promise<void>> {
    return this.gate.shut();
  }

  /** What there is in the sandbox and the pod, whose readers need not be those of secrets. */
  async visible(sandboxId: string): Promise<string> {
    const selector = { labelSelector: `${SANDBOX_ID}=${sandboxId}` };
    const shown = (['sandboxes', 'pods'] as const).map((kind) =>
      this.cluster.api.get(pathOf(kind, this.namespace), selector),
    );
    return JSON.stringify(await Promise.all(shown));
  }

  async close(): Promise<void> {
    await this.gate.close();
    await this.cluster.api.remove(`/api/v1/namespaces/${this.namespace}`);
  }
}
