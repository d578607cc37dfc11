/** The groups and versions of agent-sandbox that are spoken. */
export const SANDBOX_GROUP = 'agents.x-k8s.io';
export const EXTENSIONS_GROUP = 'extensions.agents.x-k8s.io';
export const SANDBOX_VERSION = 'v1beta1';

const API = {
  sandboxes: `/apis/${SANDBOX_GROUP}/${SANDBOX_VERSION}`,
  sandboxclaims: `/apis/${EXTENSIONS_GROUP}/${SANDBOX_VERSION}`,
  sandboxtemplates: `/apis/${EXTENSIONS_GROUP}/${SANDBOX_VERSION}`,
  sandboxwarmpools: `/apis/${EXTENSIONS_GROUP}/${SANDBOX_VERSION}`,
  pods: '/api/v1',
  secrets: '/api/v1',
  resourcequotas: '/api/v1',
  networkpolicies: '/apis/networking.k8s.io/v1',
} as const;

/** A kind of object that the service works with, as in paths. */
export type Resource = keyof typeof API;

/** Where objects of a kind are: of one namespace, or of all where it is null; with a name, that one. */
export function pathOf(resource: Resource, namespace: string | null, name?: string): string {
  const within = namespace === null ? '' : `/namespaces/${namespace}`;
  return `${API[resource]}${within}/${resource}${name === undefined ? '' : `/${name}`}`;
}

/** Where a namespace is. */
export function namespacePath(namespace: string): string {
  return `/api/v1/namespaces/${namespace}`;
}
