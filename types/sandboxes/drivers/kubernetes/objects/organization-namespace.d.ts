/** A namespace for the sandboxes of one organization; the cluster admits harmless pods only there. */
export declare function organizationNamespace(name: string, orgId: string): Record<string, unknown>;
/** What all sandboxes of an organization may take together. @param hard as in a `ResourceQuota` */
export declare function organizationQuota(namespace: string, hard: Readonly<Record<string, string>>): Record<string, unknown>;
