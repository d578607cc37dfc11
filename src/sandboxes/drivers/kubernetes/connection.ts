import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ServerLocation } from '../../record/sandbox-driver';
import { ApiUnavailable } from './cluster/api-errors';
import type { ClusterApi } from './cluster/cluster-api';
import { ObjectWatch } from './cluster/object-watch';
import { OWN } from './objects/labels';
import { pathOf } from './objects/paths';
import { AGENT_SERVER_PORT } from './objects/pod-template';
import { type Pod, readClaim, readPod, readSandbox } from './state/cluster-objects';
import { SandboxObjects } from './state/sandbox-objects';
import { currentPod } from './state/verdict';

const SYNC_MS = 5_000;
/** How often credentials are read that go with calls of agent servers. */
const RENEW_MS = 30_000;

/** What a connection follows, and how pods are reached. */
export interface ConnectionOptions {
  /** Null for all namespaces. */
  readonly namespace: string | null;
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

  /** Waits until everything was listed once. @throws ApiUnavailable */
  async synced(): Promise<void> {
    const late = new AbortController();
    const tooLate = sleep(SYNC_MS, 'late' as const, { signal: late.signal, ref: false });
    const all = Promise.all(this.watches.map((watch) => watch.synced));
    const first = await Promise.race([all, tooLate]);
    late.abort();
    tooLate.catch(() => undefined);
    if (first === 'late') throw new ApiUnavailable('its sandboxes cannot be listed');
  }

  /** Whether what is known of the cluster is up to date. */
  get isCurrent(): boolean {
    return this.broken.size === 0;
  }

  /** Where the agent server of a sandbox is now. */
  locate(sandboxId: string): ServerLocation | null {
    const pod = currentPod(this.objects.podsOf(sandboxId));
    if (pod === undefined || pod.podIP === '' || pod.phase !== 'Running') return null;
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

  private follow<Kept>(
    resource: 'sandboxes' | 'pods' | 'sandboxclaims',
    read: (object: unknown) => Kept | null,
    take: {
      replaced: (all: readonly Kept[]) => void;
      changed: (object: Kept) => void;
      removed: (object: Kept) => void;
    },
  ): void {
    const path = pathOf(resource, this.options.namespace);
    const watched = {
      ...{ path, read, ...take },
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
    if (this.broken.has(resource)) return;
    this.broken.add(resource);
    this.log.warn(`The ${resource} of the cluster are not followed at the moment: ${error.message}`);
  }
}

/** The address of the agent server in a pod, for who is in the cluster. */
export function addressOf({ podIP }: Pod): string {
  return `http://${podIP.includes(':') ? `[${podIP}]` : podIP}:${AGENT_SERVER_PORT}`;
}
