import { DriverError } from '../../../sandboxes/driver-port';
import { words } from '../state/pod-problems';
import { ApiRefusal } from './api-errors';

/**
 * What a refusal of the cluster means to whoever wanted something of it; what only passes stays as it is.
 * @param doing such as `create the sandbox`
 */
export function explained(error: unknown, doing: string, namespace: string): unknown {
  if (!(error instanceof ApiRefusal)) return error;
  return new DriverError(sentenceOf(error, doing, namespace), { cause: error });
}

function sentenceOf({ status, sentence }: ApiRefusal, doing: string, namespace: string): string {
  const because = words(sentence);
  if (status === 401)
    return `The cluster does not know the service, which was to ${doing}: renew the credentials of its kubeconfig.`;
  if (status === 403 && /exceeded quota/.test(sentence))
    return `The quota of namespace ${namespace} is used up: ${because}. Pause or delete sandboxes, or raise it.`;
  if (status === 403 && /violates PodSecurity/.test(sentence))
    return `Namespace ${namespace} does not admit such pods: ${because}. Change KUBERNETES_POD_TEMPLATE or the namespace's label.`;
  if (status === 403 && /namespace .* (is|because it is) being terminated/.test(sentence))
    return `Namespace ${namespace} is being deleted: wait until it is gone, or set KUBERNETES_NAMESPACE to another one.`;
  if (status === 403)
    return `The service may not ${doing} in namespace ${namespace}: ${because}. Give its service account the role of deploy/kubernetes.`;
  if (status === 404 && /namespaces? "/.test(sentence))
    return `There is no namespace ${namespace}: create it, or set KUBERNETES_NAMESPACE to the one for sandboxes.`;
  if (status === 404 && /" not found$/.test(sentence))
    return `What it takes to ${doing} is gone from namespace ${namespace}: ${because}. Resume the sandbox, or make a new one.`;
  if (status === 404)
    return `The cluster has no agent-sandbox ${because === '404 page not found' ? '' : `(${because}) `}to ${doing}: install its release v0.5.6 with its extensions.`;
  return `The cluster refuses to ${doing}: ${because}. Check KUBERNETES_POD_TEMPLATE, SANDBOX_IMAGE and the limits of sandboxes.`;
}
