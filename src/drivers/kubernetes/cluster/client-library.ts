/**
 * Kubernetes' own library, loaded when it is needed only: it is large, and most installations have no cluster.
 * @throws what Node throws where it is not installed
 */
export function loadClientLibrary() {
  return import('@kubernetes/client-node');
}
