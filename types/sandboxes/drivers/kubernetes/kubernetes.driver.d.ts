import type { Settings } from '../../../config';
import type { Metrics } from '../../../http';
import { type DriverCapabilities, type LogLimit, type RunState, type SandboxDriver, type SandboxHandle, type ServerLocation, type StartedServer } from '../../record/sandbox-driver';
import { findCluster } from './cluster/cluster-access';
/**
 * Runs each sandbox as a `Sandbox` of agent-sandbox in a Kubernetes cluster: a pod, and a volume that outlives it. What the
 * cluster says is followed by watches, so that questions are answered from memory (docs/kubernetes.md).
 */
export declare class KubernetesDriver implements SandboxDriver {
    private readonly settings;
    private readonly metrics;
    private readonly find;
    readonly name = "kubernetes";
    readonly description = "A pod with a volume for each sandbox, in a Kubernetes cluster.";
    readonly operatorNote = "one pod per sandbox in a Kubernetes cluster";
    readonly capabilities: DriverCapabilities;
    private readonly log;
    private opening;
    private opened;
    private complaint;
    private requests;
    private readonly exited;
    /** @param find where the cluster is */
    constructor(settings: Settings, metrics: Pick<Metrics, 'registry'>, find?: typeof findCluster);
    onExit(listener: (sandboxId: string) => void): void;
    open(): Promise<void>;
    prepare(): Promise<void>;
    close(): Promise<void>;
    start(sandbox: SandboxHandle): Promise<StartedServer>;
    resume(sandbox: SandboxHandle): Promise<StartedServer>;
    pause(sandbox: SandboxHandle): Promise<void>;
    delete(sandbox: SandboxHandle): Promise<void>;
    describe(sandbox: SandboxHandle): Promise<RunState>;
    explain(sandbox: SandboxHandle): Promise<string | null>;
    logs(sandbox: SandboxHandle, limit: LogLimit): Promise<readonly string[]>;
    ids(installationId: string): Promise<readonly string[]>;
    /** Whether the cluster answers, so that what it says of sandboxes is up to date. */
    isAvailable(): Promise<boolean>;
    locate(baseUrl: string): ServerLocation | null;
    private launch;
    /** What the cluster refuses becomes a sentence for whoever owns the sandbox. */
    private with;
    /** A cluster that is away does not keep the service from starting; one that cannot have sandboxes does. */
    private atStart;
    /** Once for each thing that is wrong: these questions are asked every few seconds. */
    private complain;
    private cluster;
    private openCluster;
}
