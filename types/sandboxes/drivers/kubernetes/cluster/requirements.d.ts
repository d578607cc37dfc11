import type { ClusterApi } from './cluster-api';
/** Something that the service does in the cluster. */
export interface Right {
    readonly verb: string;
    readonly group: string;
    readonly resource: string;
    readonly subresource?: string;
}
/** What the driver is to do with the cluster, which decides about what it needs there. */
export interface Uses {
    /** Null for all namespaces. */
    readonly namespace: string | null;
    readonly throughProxy: boolean;
    readonly warmPool: boolean;
    readonly ownsNamespaces: boolean;
}
/**
 * Makes sure that the cluster has what sandboxes need, and lets the service use it.
 * @throws DriverError with one sentence for the first thing that is missing; ApiUnavailable
 */
export declare function checkRequirements(api: ClusterApi, uses: Uses): Promise<void>;
/** All that the driver ever does with the cluster; the roles of deploy/kubernetes grant exactly this. */
export declare function rightsFor({ throughProxy, warmPool, ownsNamespaces }: Uses): Right[];
