import type { ServerLocation } from '../../record/sandbox-driver';
import type { ClusterApi } from './cluster/cluster-api';
import type { Namespaces } from './kubernetes-options';
import { type Pod } from './state/cluster-objects';
import { SandboxObjects } from './state/sandbox-objects';
/** What a connection follows, and how pods are reached. */
export interface ConnectionOptions {
    readonly namespaces: Namespaces;
    readonly throughProxy: boolean;
    readonly warmPool: boolean;
}
/** One process's view of its sandboxes in the cluster, kept up to date by watches. */
export declare class ClusterConnection {
    readonly api: ClusterApi;
    private readonly options;
    readonly objects: SandboxObjects;
    private readonly log;
    private readonly watches;
    private readonly renewal;
    /** The watches that do not work now. */
    private readonly broken;
    private fail;
    /** @param changed is called with the id of a sandbox of which something changed */
    constructor(api: ClusterApi, options: ConnectionOptions, changed: (sandboxId: string) => void);
    /** Waits until everything was listed once, for as long as the cluster answers: there may be many. @throws ApiUnavailable */
    synced(): Promise<void>;
    /** Whether what is known of the cluster is up to date. */
    get isCurrent(): boolean;
    /** Where the agent server of a sandbox of an organization is now. */
    locate(sandboxId: string, orgId: string): ServerLocation | null;
    /** Where the agent server in a pod is. */
    locationOf(pod: Pod): ServerLocation | null;
    close(): Promise<void>;
    private behindProxy;
    private follow;
    private note;
}
/** The address of the agent server in a pod, for who is in the cluster. */
export declare function addressOf({ podIP }: Pod): string;
