import type { GatewayTls } from '../../../../agent-server';
/** Where the API server is, and who the service is to it. */
export interface ClusterAccess {
    /** Its address, possibly with a path before the API's own. */
    readonly server: string;
    /** Of the kubeconfig's context, or the one that the service itself runs in. */
    readonly namespace: string;
    /** Whether the service runs in this cluster, so that it reaches pods at their addresses. */
    readonly isInside: boolean;
    /** Read again each time: tokens and certificates are exchanged while the service runs. */
    credentials(): Promise<Credentials>;
}
/** What goes with each connection and request. */
export interface Credentials {
    readonly version: string;
    readonly tls: GatewayTls;
    readonly headers: readonly string[];
}
/**
 * Finds the cluster as all its tools do: `KUBECONFIG`, `~/.kube/config`, or the service account of the pod. Of what may be
 * in a kubeconfig (certificates, tokens, programs that make tokens) the library knows all but proxies.
 * @throws DriverError with what to do
 */
export declare function findCluster(): Promise<ClusterAccess>;
