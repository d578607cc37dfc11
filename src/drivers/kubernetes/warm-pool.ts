import { Logger } from '@nestjs/common';
import { messageOf } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import type { SandboxHandle } from '../../sandboxes/driver-port';
import type { ClusterConnection } from './connection';
import type { PodTemplate } from './kubernetes-options';
import { claimNameOf, labelsOf, MANAGED_BY, SANDBOX_ID, SERVICE, STOPPED_BECAUSE } from './objects/labels';
import { EXTENSIONS_GROUP, pathOf, SANDBOX_VERSION } from './objects/paths';
import { podAhead } from './objects/pods-of-sandboxes';
import { volumeClaims } from './objects/sandbox-manifest';
import { conditionOf, type Pod, readClaim, readSandbox } from './state/cluster-objects';
import { currentPod } from './state/verdict';
import { AgentServerAwakening } from '../agent-server-awakening';

/** The pool and its template. */
const NAME = 'sandboxes';
/** A label of pods while they are in a pool. */
const POOL = 'org-conversation-service/pool';
const API_VERSION = `${EXTENSIONS_GROUP}/${SANDBOX_VERSION}`;
/** A pod that is there is given away within a tenth of a second. */
const GIVEN_WITHIN_MS = 3_000;
/** Where none is ready, the pool is made again after that: somebody may have deleted it. */
const GOOD_FOR_MS = 60_000;

/**
 * Sandboxes that are pre-warmed. One is claimed, its agent server is given the keys of the sandbox it becomes, and from then on
 * it is as any other: when it is resumed, it starts with its keys.
 */
export class WarmPool {
  private readonly log = new Logger('Kubernetes');
  private readonly awakening: AgentServerAwakening;
  /** Claims of this process that are under way: each takes one that is ready. */
  private claiming = 0;
  private filledMs = -Infinity;

  constructor(
    private readonly settings: Settings,
    private readonly connection: ClusterConnection,
    private readonly namespace: string,
    private readonly template: PodTemplate,
  ) {
    this.awakening = new AgentServerAwakening(settings);
  }

  /** Makes the cluster keep the pool filled, with the current pod template. @throws ApiRefusal, ApiUnavailable */
  async fill(): Promise<void> {
    const { api } = this.connection;
    this.filledMs = performance.now();
    const metadata = { name: NAME, namespace: this.namespace, labels: { [MANAGED_BY]: SERVICE } };
    await api.apply(pathOf('sandboxtemplates', this.namespace, NAME), {
      apiVersion: API_VERSION,
      kind: 'SandboxTemplate',
      metadata,
      spec: {
        podTemplate: podAhead(this.settings, this.template, { [POOL]: NAME }),
        volumeClaimTemplates: volumeClaims(this.settings),
        // The policy of the namespace is there for all sandboxes.
        networkPolicyManagement: 'Unmanaged',
      },
    });
    await api.apply(pathOf('sandboxwarmpools', this.namespace, NAME), {
      apiVersion: API_VERSION,
      kind: 'SandboxWarmPool',
      metadata,
      spec: {
        replicas: this.settings.SANDBOX_WARM,
        sandboxTemplateRef: { name: NAME },
        updateStrategy: { type: 'Recreate' },
      },
    });
  }

  /**
   * Makes one of the pool the sandbox, if one is ready.
   * @param pod the sandbox's own, for when it is resumed
   * @returns false where there is none, or it could not be used: nothing of it is left then
   */
  async take(sandbox: SandboxHandle, pod: Readonly<Record<string, unknown>>): Promise<boolean> {
    await this.release(sandbox.id);
    const ready = this.connection.objects.unclaimedPods().filter(isReady).length;
    if (ready <= this.claiming) {
      void this.refill();
      return false;
    }
    this.claiming++;
    try {
      const given = await this.claim(sandbox);
      if (given === null) throw new Error('none was given within three seconds');
      const { pod: at, name } = given;
      const server = this.connection.locationOf(at);
      if (server === null) throw new Error('its pod has no address');
      await this.awakening.awake(server, at.uid, sandbox.sessionKey);
      const path = pathOf('sandboxes', this.namespace, name);
      const own = {
        metadata: { labels: labelsOf(sandbox), annotations: { [STOPPED_BECAUSE]: '' } },
        spec: { podTemplate: pod },
      };
      const taken = readSandbox(await this.connection.api.merge(path, own));
      if (taken !== null) this.connection.objects.put({ sandbox: taken });
      return true;
    } catch (error) {
      this.log.warn(`No warm sandbox was used for ${sandbox.id}: ${messageOf(error)}`);
      // Also one that was created by a call whose response was lost.
      await this.remove(sandbox.id);
      void this.refill();
      return false;
    } finally {
      this.claiming--;
    }
  }

  /** Gives a claim up, and with it the sandbox that it was given; nothing happens where there is none. */
  async release(id: string): Promise<void> {
    if (this.connection.objects.claim(id) !== undefined) await this.remove(id);
  }

  private async remove(id: string): Promise<void> {
    await this.connection.api.remove(pathOf('sandboxclaims', this.namespace, claimNameOf(id)));
  }

  /** Where the cluster was away when the pool was to be made, or somebody deleted it. */
  private async refill(): Promise<void> {
    if (performance.now() - this.filledMs < GOOD_FOR_MS) return;
    await this.fill().catch((error: unknown) => {
      this.filledMs = -Infinity;
      this.log.warn(`No sandbox can be pre-warmed: ${messageOf(error)}`);
    });
  }

  private async claim(sandbox: SandboxHandle): Promise<{ readonly pod: Pod; readonly name: string } | null> {
    const { api, objects } = this.connection;
    const labels = labelsOf(sandbox);
    const claim = readClaim(
      await api.create(pathOf('sandboxclaims', this.namespace), {
        apiVersion: API_VERSION,
        kind: 'SandboxClaim',
        metadata: { name: claimNameOf(sandbox.id), namespace: this.namespace, labels },
        spec: {
          warmPoolRef: { name: NAME },
          additionalPodMetadata: { labels: { [SANDBOX_ID]: sandbox.id } },
        },
      }),
    );
    if (claim !== null) objects.put({ claim });
    return objects.when(() => {
      const name = objects.claim(sandbox.id)?.sandboxName ?? '';
      // A claim of an earlier attempt may still exist.
      const pod = currentPod(objects.podsOf(sandbox.id).filter(({ owner }) => owner?.name === name));
      return name !== '' && pod !== undefined && isReady(pod) ? { pod, name } : null;
    }, GIVEN_WITHIN_MS);
  }
}

function isReady(pod: Pod): boolean {
  return pod.deletionTimestamp === undefined && conditionOf(pod, 'Ready')?.status === 'True';
}
