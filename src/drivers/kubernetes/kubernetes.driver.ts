import { Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { messageOf, parseUuid, StartError } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import type { Metrics } from '../../kernel/http';
import { lastLines } from '../last-lines';
import {
  type DriverCapabilities,
  DriverError,
  type DriverProblem,
  type LogLimit,
  type RunState,
  type SandboxDriver,
  type SandboxHandle,
  type ServerLocation,
  type StartedServer,
} from '../../sandboxes/driver-port';
import { ApiUnavailable, isNotFound } from './cluster/api-errors';
import { findCluster } from './cluster/cluster-access';
import { explained } from './cluster/requirements';
import { ClusterSandboxes, openCluster } from './cluster-sandboxes';
import { INSTALLATION } from './objects/labels';
import { pathOf } from './objects/paths';
import { AGENT_SERVER_PORT, CONTAINER, WORKING_DIR } from './objects/pod-template';
import { currentPod } from './state/verdict';

/** Addresses that are stored are of names that stay while pods come and go: the sandbox's id, and its organization's. */
const TOP = 'sandbox';

/** Calls that arrive while a cluster is being opened wait for the same opening. */
type Opening = Promise<ClusterSandboxes>;

/**
 * Runs each sandbox as a `Sandbox` of agent-sandbox in a Kubernetes cluster: a pod, and a volume that outlives it. What the
 * cluster says is followed by watches, so that questions are answered from memory (docs/kubernetes.md).
 */
export class KubernetesDriver implements SandboxDriver {
  readonly name = 'kubernetes';
  readonly description = 'A pod with a volume for each sandbox, in a Kubernetes cluster.';
  readonly operatorNote = 'one pod per sandbox in a Kubernetes cluster';
  readonly capabilities: DriverCapabilities = {
    hostBound: false,
    sharedServer: false,
    singleOrganization: false,
    stopsWithService: false,
    reachableByCallers: false,
    unresponsiveAfterMs: 60_000,
    builtInModel: null,
  };
  private readonly log = new Logger('Kubernetes');
  private opening: Opening | undefined;
  private opened: ClusterSandboxes | undefined;
  private complaint = '';
  private requests: Counter<'method' | 'status'> | undefined;
  private readonly exited = new Set<(id: string) => void>();

  /** @param find where the cluster is */
  constructor(
    private readonly settings: Settings,
    private readonly metrics: Pick<Metrics, 'registry'>,
    private readonly find = findCluster,
  ) {}

  onExit(listener: (sandboxId: string) => void): void {
    this.exited.add(listener);
  }

  async open(): Promise<void> {
    await this.atStart(async () => {
      await this.cluster();
    });
  }

  /** @throws ApiUnavailable when the cluster does not answer, which keeps no service from starting */
  async problems(): Promise<readonly DriverProblem[]> {
    await this.cluster();
    return [];
  }

  async prepare(): Promise<void> {
    await this.atStart(async () => (await this.cluster()).prepare());
  }

  async close(): Promise<void> {
    const opened = await this.opening?.catch(() => undefined);
    await opened?.close();
  }

  start(sandbox: SandboxHandle): Promise<StartedServer> {
    return this.launch(sandbox, 'create the sandbox', (cluster) => cluster.start(sandbox));
  }

  resume(sandbox: SandboxHandle): Promise<StartedServer> {
    return this.launch(sandbox, 'resume the sandbox', (cluster) => cluster.resume(sandbox));
  }

  async pause(sandbox: SandboxHandle): Promise<void> {
    await this.with(sandbox, 'suspend the sandbox', (cluster) => cluster.suspend(sandbox, ''));
  }

  async delete(sandbox: SandboxHandle): Promise<void> {
    await this.with(sandbox, 'delete the sandbox', (cluster) => cluster.delete(sandbox));
  }

  async describe(sandbox: SandboxHandle): Promise<RunState> {
    return this.with(sandbox, 'read the sandbox', async (cluster) => {
      const verdict = await cluster.verdict(sandbox);
      if (verdict === null) return 'missing';
      if (verdict.state !== 'stuck') return verdict.state;
      // Kubernetes would retry forever, although an operator has to change something first.
      await cluster.suspend(sandbox, verdict.detail ?? '');
      return 'stopped';
    });
  }

  async explain(sandbox: SandboxHandle): Promise<string | null> {
    try {
      const verdict = await (await this.cluster()).verdict(sandbox);
      return verdict?.detail ?? null;
    } catch (error) {
      return messageOf(error);
    }
  }

  async logs(sandbox: SandboxHandle, limit: LogLimit): Promise<readonly string[]> {
    return this.with(sandbox, 'read the log of the sandbox', async (cluster) => {
      const pod = currentPod(cluster.podsOf(sandbox));
      if (pod === undefined) return [];
      const path = `${pathOf('pods', pod.namespace, pod.name)}/log`;
      const query = { container: CONTAINER, tailLines: String(limit.lines) };
      try {
        // With a byte limit the API server returns the beginning of a log, not the end.
        const { text, isWhole } = await cluster.connection.api.end(path, query, limit.bytes);
        return lastLines(text, limit, isWhole);
      } catch (error) {
        // The cluster answers 400 for a container that has not started yet.
        if (isNotFound(error) || pod.phase === 'Pending') return [];
        throw error;
      }
    });
  }

  async ids(installationId: string): Promise<readonly string[]> {
    const { connection } = await this.cluster();
    const found = connection.objects.idsOf((labels) => labels[INSTALLATION] === installationId);
    // Foreign objects may carry the same label.
    return found.filter((id) => parseUuid(id) === id);
  }

  /** Whether the cluster answers, so that its state of sandboxes is up to date. */
  async isAvailable(): Promise<boolean> {
    try {
      return (await this.cluster()).connection.isCurrent;
    } catch (error) {
      this.complain(error);
      return false;
    }
  }

  locate(baseUrl: string): ServerLocation | null {
    const [id = '', orgId = ''] = new URL(baseUrl).hostname.split('.');
    if (this.opened !== undefined) return this.opened.connection.locate(id, orgId);
    // Sandboxes of a driver that makes no new ones: the first call finds it closed.
    this.cluster().catch((error: unknown) => this.complain(error));
    return null;
  }

  private async launch(
    sandbox: SandboxHandle,
    doing: string,
    act: (cluster: ClusterSandboxes) => Promise<void>,
  ): Promise<StartedServer> {
    await this.with(sandbox, doing, act);
    return {
      baseUrl: `http://${sandbox.id}.${sandbox.orgId ?? ''}.${TOP}:${AGENT_SERVER_PORT}`,
      port: AGENT_SERVER_PORT,
      workingDir: WORKING_DIR,
    };
  }

  /** Turns a refusal of the cluster into a sentence for the owner of the sandbox. */
  private async with<Result>(
    { orgId }: SandboxHandle,
    doing: string,
    act: (cluster: ClusterSandboxes) => Promise<Result>,
  ): Promise<Result> {
    const cluster = await this.cluster();
    try {
      return await act(cluster);
    } catch (error) {
      throw explained(error, doing, cluster.namespaces.shared ?? cluster.namespaces.of(orgId));
    }
  }

  /** A cluster that is away does not keep the service from starting; one that cannot have sandboxes does. */
  private async atStart(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (error instanceof DriverError) throw new StartError(error.message, { cause: error });
      if (!(error instanceof ApiUnavailable)) throw error;
      this.log.warn(`No sandbox starts until the cluster answers: ${error.message}`);
    }
  }

  /** Once for each thing that is wrong: these questions are asked every few seconds. */
  private complain(error: unknown): void {
    const message = messageOf(error);
    if (message !== this.complaint) this.log.warn(`The cluster cannot be used: ${message}`);
    this.complaint = message;
  }

  private cluster(): Opening {
    this.opening ??= this.openCluster().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async openCluster(): Promise<ClusterSandboxes> {
    const changed = (id: string): void => {
      for (const listener of this.exited) listener(id);
    };
    this.requests ??= new Counter({
      name: 'kubernetes_api_requests_total',
      help: 'Requests that the API server of the cluster answered, by method and status. A watch is one.',
      labelNames: ['method', 'status'] as const,
      registers: [this.metrics.registry],
    });
    const counted = (method: string, status: number): void => this.requests?.inc({ method, status });
    this.opened = await openCluster(this.settings, await this.find(), changed, counted);
    this.complaint = '';
    return this.opened;
  }
}
