import { z } from 'zod';
import type { Settings } from '../../kernel/config';
import { DriverError, type SandboxHandle } from '../../sandboxes/driver-port';
import { isNotFound, isThereAlready } from './cluster/api-errors';
import type { ClusterAccess } from './cluster/cluster-access';
import { ClusterApi } from './cluster/cluster-api';
import { checkRequirements } from './cluster/requirements';
import { ClusterConnection } from './connection';
import { type Namespaces, namespacesOf, type PodTemplate, readPodTemplate } from './kubernetes-options';
import { keysSecret } from './objects/keys-secret';
import { labelsOf, nameOf, SANDBOX_ID } from './objects/labels';
import { parseLabels } from './objects/network-policies';
import { pathOf } from './objects/paths';
import { podOf } from './objects/pods-of-sandboxes';
import { resumption, sandboxManifest, suspension } from './objects/sandbox-manifest';
import { PreparedNamespaces } from './prepared-namespaces';
import { WarmPool } from './warm-pool';
import { type Pod, readSandbox, type SandboxObject } from './state/cluster-objects';
import { Changes } from './state/changes';
import { type Verdict, verdictOf } from './state/verdict';

/** A pod has five seconds to end by itself; a job of the service, ten. */
const ENDED_WITHIN_MS = 8_000;

const listSchema = z.object({ items: z.array(z.unknown()) });

/**
 * Finds out whether a cluster can have sandboxes, and follows those that it has.
 * @param noticed is called with the id of a sandbox that ended, or has another pod now
 * @param counted is called with each answer of the API server
 * @throws DriverError with what is missing; ApiUnavailable
 */
export async function openCluster(
  settings: Settings,
  access: ClusterAccess,
  noticed: (sandboxId: string) => void,
  counted?: (method: string, status: number) => void,
): Promise<ClusterSandboxes> {
  const template = await readPodTemplate(settings.KUBERNETES_POD_TEMPLATE);
  const namespaces = namespacesOf(settings, access.namespace);
  const uses = {
    namespace: namespaces.shared,
    throughProxy: (settings.KUBERNETES_POD_ACCESS ?? (access.isInside ? 'address' : 'proxy')) === 'proxy',
    warmPool: settings.SANDBOX_WARM > 0,
    ownsNamespaces: namespaces.shared === null,
  };
  const api = new ClusterApi(access, counted);
  try {
    await checkRequirements(api, uses);
  } catch (error) {
    await api.close();
    throw error;
  }
  const changes = new Changes(noticed);
  const connection = new ClusterConnection(api, { ...uses, namespaces }, (id) =>
    changes.look(id, connection.objects),
  );
  const service = access.isInside
    ? { namespace: access.namespace, labels: parseLabels(settings.KUBERNETES_ADMITTED_PODS) }
    : null;
  const sandboxes = new ClusterSandboxes(
    settings,
    connection,
    namespaces,
    template,
    new PreparedNamespaces(settings, api, service),
  );
  try {
    await connection.synced();
  } catch (error) {
    await connection.close();
    throw error;
  }
  return sandboxes;
}

/** The sandboxes of the service in one cluster. */
export class ClusterSandboxes {
  private readonly pool: WarmPool | null;

  constructor(
    private readonly settings: Settings,
    readonly connection: ClusterConnection,
    readonly namespaces: Namespaces,
    private readonly template: PodTemplate,
    private readonly grounds: PreparedNamespaces,
  ) {
    this.pool =
      settings.SANDBOX_WARM > 0 && namespaces.shared !== null
        ? new WarmPool(settings, connection, namespaces.shared, template)
        : null;
  }

  /** Makes what sandboxes need in the cluster before there is one. */
  async prepare(): Promise<void> {
    if (this.namespaces.shared === null) return;
    await this.grounds.prepare(this.namespaces.shared, null);
    await this.pool?.fill();
  }

  async start(sandbox: SandboxHandle): Promise<void> {
    const namespace = this.namespaces.of(sandbox.orgId);
    await this.prepareFor(sandbox, namespace);
    // An earlier attempt may have created it already.
    if ((await this.find(sandbox)) !== null) return this.run(sandbox);
    const pod = podOf(sandbox, this.settings, this.template);
    if ((await this.pool?.take(sandbox, pod)) === true) return;
    const place = { name: nameOf(sandbox.id), namespace };
    const manifest = sandboxManifest(place, labelsOf(sandbox), pod, this.settings);
    try {
      this.put(await this.connection.api.create(pathOf('sandboxes', namespace), manifest));
    } catch (error) {
      if (!isThereAlready(error)) throw error;
      await this.run(sandbox);
    }
  }

  /** @throws DriverError when it is gone */
  async resume(sandbox: SandboxHandle): Promise<void> {
    if ((await this.find(sandbox)) === null)
      throw new DriverError('The sandbox and its data are gone from the cluster.');
    await this.applyKeys(sandbox, this.namespaces.of(sandbox.orgId));
    await this.run(sandbox);
  }

  /**
   * Ends the pod and keeps the volume; nothing happens to one that is gone.
   * @param because a sentence, when it is not wanted but cannot run
   * @throws Error while the pod has not ended yet
   */
  async suspend(handle: SandboxHandle, because: string): Promise<void> {
    const { api, objects } = this.connection;
    const { id } = handle;
    const sandbox = objects.sandbox(id, this.namespaceOf(handle));
    if (sandbox === undefined) return;
    try {
      this.put(await api.merge(placeOf(sandbox), suspension(because)));
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    const hasEnded = await objects.when(
      () => (objects.podsOf(id, sandbox.namespace).length === 0 ? true : null),
      ENDED_WITHIN_MS,
    );
    if (hasEnded === null) throw new Error('The pod of the sandbox has not ended yet.');
  }

  async delete(sandbox: SandboxHandle): Promise<void> {
    const { api, objects } = this.connection;
    const known = objects.sandbox(sandbox.id, this.namespaceOf(sandbox));
    const namespace = known?.namespace ?? this.namespaceOf(sandbox);
    if (namespace === undefined) return;
    const name = nameOf(sandbox.id);
    // A claim would be given another sandbox, also where there is no pool any more.
    const claimName = objects.claim(sandbox.id)?.name ?? known?.claimName ?? null;
    if (claimName !== null) await api.remove(pathOf('sandboxclaims', namespace, claimName));
    await api.remove(pathOf('sandboxes', namespace, known?.name ?? name));
    await api.remove(pathOf('secrets', namespace, name));
  }

  /** The state of a sandbox in the cluster; null for an unknown one. */
  async verdict(sandbox: SandboxHandle): Promise<Verdict | null> {
    const found = await this.find(sandbox);
    if (found !== null) return verdictOf(found, this.podsOf(sandbox));
    // It was deleted by hand, so its remains are orphans.
    const namespace = this.namespaceOf(sandbox);
    if (namespace !== undefined)
      await this.connection.api.remove(pathOf('secrets', namespace, nameOf(sandbox.id)));
    return null;
  }

  /** Its pods, the newest last. */
  podsOf(sandbox: SandboxHandle): readonly Pod[] {
    return this.connection.objects.podsOf(sandbox.id, this.namespaceOf(sandbox));
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** Starts an existing sandbox with the current pod template. */
  private async run(handle: SandboxHandle): Promise<void> {
    const { api } = this.connection;
    const before = await this.find(handle);
    if (before === null) throw new Error('The sandbox is not there yet, and there is one of its name.');
    // An ended pod is not recreated, and a stuck one is not replaced.
    const { state } = verdictOf(before, this.podsOf(handle));
    if (before.operatingMode !== 'Suspended' && state !== 'running') await this.suspend(handle, '');
    const pod = podOf(handle, this.settings, this.template);
    this.put(await api.change(placeOf(before), resumption(pod)));
  }

  /** From the watch cache, else from the cluster, because a watch may lag. */
  private async find(sandbox: SandboxHandle): Promise<SandboxObject | null> {
    const namespace = this.namespaceOf(sandbox);
    const known = this.connection.objects.sandbox(sandbox.id, namespace);
    if (known !== undefined) return known;
    if (namespace === undefined) return null;
    const path = pathOf('sandboxes', namespace);
    const query = { labelSelector: `${SANDBOX_ID}=${sandbox.id}` };
    const [found] = listSchema.parse(await this.connection.api.get(path, query)).items;
    return found === undefined ? null : this.put(found);
  }

  private async prepareFor(sandbox: SandboxHandle, namespace: string): Promise<void> {
    const orgId = this.namespaces.shared === null ? sandbox.orgId : null;
    await this.grounds.prepare(namespace, orgId);
    try {
      await this.applyKeys(sandbox, namespace);
    } catch (error) {
      if (orgId === null || !isNotFound(error)) throw error;
      // Somebody deleted the namespace of the organization, with all that was in it.
      this.grounds.forget(namespace);
      await this.grounds.prepare(namespace, orgId);
      await this.applyKeys(sandbox, namespace);
    }
  }

  /** Undefined where nothing but the id of a sandbox is known any more. */
  private namespaceOf({ orgId }: SandboxHandle): string | undefined {
    return this.namespaces.shared ?? (orgId === null ? undefined : this.namespaces.of(orgId));
  }

  private async applyKeys(sandbox: SandboxHandle, namespace: string): Promise<void> {
    const path = pathOf('secrets', namespace, nameOf(sandbox.id));
    await this.connection.api.apply(path, keysSecret(sandbox, namespace));
  }

  private put(answer: unknown): SandboxObject {
    const sandbox = readSandbox(answer);
    if (sandbox === null) throw new Error('The cluster answered with something that is no sandbox.');
    this.connection.objects.put({ sandbox });
    return sandbox;
  }
}

function placeOf({ namespace, name }: SandboxObject): string {
  return pathOf('sandboxes', namespace, name);
}
