import { MANAGED_BY, ORGANIZATION, SERVICE } from './labels';

/** A namespace for the sandboxes of one organization; the cluster admits harmless pods only there. */
export function organizationNamespace(name: string, orgId: string): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        [MANAGED_BY]: SERVICE,
        [ORGANIZATION]: orgId,
        'pod-security.kubernetes.io/enforce': 'restricted',
      },
    },
  };
}

/** What all sandboxes of an organization may take together. @param hard as in a `ResourceQuota` */
export function organizationQuota(
  namespace: string,
  hard: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'sandboxes', namespace, labels: { [MANAGED_BY]: SERVICE } },
    spec: { hard },
  };
}
