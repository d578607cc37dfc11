import { Logger } from '@nestjs/common';
import type { ServerLocation } from '../../sandboxes/driver-port';
import { ApiUnavailable } from './cluster/api-errors';
import type { ClusterApi } from './cluster/cluster-api';
import { ObjectWatch } from './cluster/object-watch';
import type { Namespaces } from './kubernetes-options';
import { ORGANIZATION, OWN } from './objects/labels';
import { pathOf } from './objects/paths';
import { AGENT_SERVER_PORT } from './objects/pod-template';
import {
  type Pod,
  readClaim,
  readPod,
  readSandbox,
  type SandboxClaim,
  type SandboxObject,
} from './state/cluster-objects';
import { SandboxObjects } from './state/sandbox-objects';
import { currentPod } from './state/verdict';

/** How often credentials for calls of agent servers are read. */
const RENEW_MS = 30_000;

/** What a connection follows, and how pods are reached. */
export interface ConnectionOptions {
  readonly namespaces: Namespaces;
  readonly throughProxy: boolean;
  readonly warmPool: boolean;
}

/** One process's view of its sandboxes in the cluster, kept up to date by watches. */
export class ClusterConnection {
  readonly objects: SandboxObjects;
  private readonly log = new Logger('Kubernetes');
  private readonly watches: { readonly synced: Promise<void>; stop(): void }[] = [];
  private readonly renewal: NodeJS.Timeout | undefined;
  /** The watches that do not work now. */
  private readonly broken = new Set<string>();
  private fail: (error: Error) => void = () => undefined;

  /** @param changed is called with the id of a sandbox of which something changed */
  constructor(
    readonly api: ClusterApi,
    private readonly options: ConnectionOptions,
    changed: (sandboxId: string) => void,
  ) {
    this.objects = new SandboxObjects(changed);
    const { objects } = this;
    this.follow('sandboxes', readSandbox, {
      replaced: (sandboxes) => objects.replace({ sandboxes }),
      changed: (sandbox) => objects.put({ sandbox }),
      removed: (sandbox) => objects.remove({ sandbox }),
    });
    this.follow('pods', readPod, {
      replaced: (pods) => objects.replace({ pods }),
      changed: (pod) => objects.put({ pod }),
      removed: (pod) => objects.remove({ pod }),
    });
    if (options.warmPool)
      this.follow('sandboxclaims', readClaim, {
        replaced: (claims) => objects.replace({ claims }),
        changed: (claim) => objects.put({ claim }),
        removed: (claim) => objects.remove({ claim }),
      });
    if (options.throughProxy)
      this.renewal = setInterval(() => void api.renew().catch(() => undefined), RENEW_MS).unref();
  }

  /** Waits until everything was listed once, for as long as the cluster answers: there may be many. @throws ApiUnavailable */
  async synced(): Promise<void> {
    const failed = new Promise<never>((_, reject) => {
      this.fail = reject;
    });
    await Promise.race([Promise.all(this.watches.map((watch) => watch.synced)), failed]);
  }

  /** Whether the cached state of the cluster is up to date. */
  get isCurrent(): boolean {
    return this.broken.size === 0;
  }

  /** The current address of the agent server of a sandbox. */
  locate(sandboxId: string, orgId: string): ServerLocation | null {
    const pod = currentPod(this.objects.podsOf(sandboxId, this.options.namespaces.of(orgId)));
    return pod === undefined ? null : this.locationOf(pod);
  }

  /** The address of the agent server in a pod. */
  locationOf(pod: Pod): ServerLocation | null {
    if (pod.podIP === '' || pod.phase !== 'Running') return null;
    return this.options.throughProxy ? this.behindProxy(pod) : { baseUrl: addressOf(pod) };
  }

  async close(): Promise<void> {
    clearInterval(this.renewal);
    for (const watch of this.watches) watch.stop();
    await this.api.close();
  }

  private behindProxy({ namespace, name }: Pod): ServerLocation | null {
    const { credentials, access } = this.api;
    if (credentials === undefined) return null;
    const path = `${pathOf('pods', namespace, `${name}:${AGENT_SERVER_PORT}`)}/proxy`;
    return { baseUrl: access.server + path, gateway: credentials };
  }

  private follow<Kept extends SandboxObject | Pod | SandboxClaim>(
    resource: 'sandboxes' | 'pods' | 'sandboxclaims',
    read: (object: unknown) => Kept | null,
    take: {
      replaced: (all: readonly Kept[]) => void;
      changed: (object: Kept) => void;
      removed: (object: Kept) => void;
    },
  ): void {
    const { namespaces } = this.options;
    const watched = {
      path: pathOf(resource, namespaces.shared),
      ...take,
      // A watch on all namespaces also sees foreign objects that are named after a sandbox.
      read: (object: unknown) => {
        const kept = read(object);
        return kept !== null && namespaces.has(kept.namespace, kept.labels[ORGANIZATION] ?? null)
          ? kept
          : null;
      },
      ...(resource === 'pods' && { labelSelector: OWN }),
      troubled: (error: Error | null) => this.note(resource, error),
    };
    this.watches.push(new ObjectWatch(this.api, watched));
  }

  private note(resource: string, error: Error | null): void {
    if (error === null) {
      if (this.broken.delete(resource)) this.log.log(`The ${resource} of the cluster are followed again.`);
      return;
    }
    const isAway = error instanceof ApiUnavailable;
    this.fail(isAway ? error : new ApiUnavailable(`its ${resource} cannot be listed: ${error.message}`));
    if (this.broken.has(resource)) return;
    this.broken.add(resource);
    this.log.warn(`The ${resource} of the cluster are not followed at the moment: ${error.message}`);
  }
}

/** The address of the agent server in a pod, within the cluster. */
export function addressOf({ podIP }: Pod): string {
  return `http://${podIP.includes(':') ? `[${podIP}]` : podIP}:${AGENT_SERVER_PORT}`;
}
