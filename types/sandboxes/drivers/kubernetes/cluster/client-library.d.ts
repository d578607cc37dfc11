/**
 * Kubernetes' own library, loaded when it is needed only: it is large, and most installations have no cluster.
 * @throws what Node throws where it is not installed
 */
export declare function loadClientLibrary(): Promise<typeof import("@kubernetes/client-node", { with: { "resolution-mode": "import" } })>;
