/**
 * What a refusal of the cluster means to whoever wanted something of it; what only passes stays as it is.
 * @param doing such as `create the sandbox`
 */
export declare function explained(error: unknown, doing: string, namespace: string): unknown;
