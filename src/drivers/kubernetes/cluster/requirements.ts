import { z } from 'zod';
import { DriverError } from '../../../sandboxes/driver-port';
import { EXTENSIONS_GROUP, SANDBOX_GROUP, SANDBOX_VERSION } from '../objects/paths';
import { isNotFound, ApiRefusal } from './api-errors';
import type { ClusterApi } from './cluster-api';
import { words } from '../state/pod-problems';

/** Something that the service does in the cluster. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
}

/** The features that the driver uses, which decide about its requirements. */
export interface Uses {
  /** Null for all namespaces. */
  readonly namespace: string | null;
  readonly throughProxy: boolean;
  readonly warmPool: boolean;
  readonly ownsNamespaces: boolean;
}

const versionSchema = z.object({ gitVersion: z.string() });
const groupSchema = z.object({ versions: z.array(z.object({ version: z.string() })) });
const reviewSchema = z.object({ status: z.object({ allowed: z.boolean() }) });
const RELEASE = 'its release v0.5.6, with its extensions';

/**
 * Makes sure that the cluster has what sandboxes need, and lets the service use it.
 * @throws DriverError with one sentence for the first thing that is missing; ApiUnavailable
 */
export async function checkRequirements(api: ClusterApi, uses: Uses): Promise<void> {
  await checkGroup(api, SANDBOX_GROUP);
  if (uses.warmPool) await checkGroup(api, EXTENSIONS_GROUP);
  const missing = await missingRights(api, uses.namespace, rightsFor(uses));
  if (missing.length === 0) return;
  const where = uses.namespace === null ? 'in all namespaces' : `in namespace ${uses.namespace}`;
  throw new DriverError(
    `The service may not ${missing.join(', ')} ${where}: give its service account the role of deploy/kubernetes.`,
  );
}

/** All that the driver ever does with the cluster; the roles of deploy/kubernetes grant exactly this. */
export function rightsFor({ throughProxy, warmPool, ownsNamespaces }: Uses): Right[] {
  const all = (group: string, resource: string, verbs: string): Right[] =>
    verbs.split(' ').map((verb) => ({ verb, group, resource }));
  return [
    ...all(SANDBOX_GROUP, 'sandboxes', 'list watch create patch delete'),
    ...all('', 'pods', 'list watch'),
    { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
    ...all('', 'secrets', 'create patch delete'),
    ...all('networking.k8s.io', 'networkpolicies', 'create patch'),
    ...(warmPool ? all(EXTENSIONS_GROUP, 'sandboxclaims', 'list watch create delete') : []),
    ...(warmPool ? all(EXTENSIONS_GROUP, 'sandboxtemplates', 'create patch') : []),
    ...(warmPool ? all(EXTENSIONS_GROUP, 'sandboxwarmpools', 'create patch') : []),
    ...(ownsNamespaces ? all('', 'namespaces', 'create patch') : []),
    ...(ownsNamespaces ? all('', 'resourcequotas', 'create patch') : []),
    ...(throughProxy
      ? ['get', 'create', 'update', 'patch', 'delete'].map((verb) => ({
          verb,
          group: '',
          resource: 'pods',
          subresource: 'proxy',
        }))
      : []),
  ];
}

async function checkGroup(api: ClusterApi, group: string): Promise<void> {
  const found = groupSchema.safeParse(await answerOf(api, `/apis/${group}`));
  if (!found.success) {
    // Whatever listens there may say that it has not got something.
    if (!versionSchema.safeParse(await answerOf(api, '/version')).success)
      throw new DriverError(
        `What answers at ${api.access.server} is no API server of Kubernetes: correct the address in the kubeconfig.`,
      );
    throw new DriverError(`The cluster has no ${group}: install agent-sandbox in ${RELEASE}.`);
  }
  const served = found.data.versions.map(({ version }) => version);
  if (!served.includes(SANDBOX_VERSION))
    throw new DriverError(
      `The cluster has ${group} as ${served.join(', ')} only, and sandboxes need ${SANDBOX_VERSION}: install agent-sandbox in ${RELEASE}.`,
    );
}

/** The object at a path; undefined where there is none. @throws DriverError, ApiUnavailable */
async function answerOf(api: ClusterApi, path: string): Promise<unknown> {
  try {
    return await api.get(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw explained(error, 'see what the cluster has', '');
  }
}

async function missingRights(
  api: ClusterApi,
  namespace: string | null,
  rights: readonly Right[],
): Promise<string[]> {
  const allowed = await Promise.all(rights.map((right) => isAllowed(api, namespace, right)));
  return rights.filter((_, n) => allowed[n] === false).map(nameOf);
}

async function isAllowed(api: ClusterApi, namespace: string | null, right: Right): Promise<boolean> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { ...right, ...(namespace !== null && { namespace }) } },
  };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const answer = await api.create(path, review).catch((error: unknown) => {
    throw explained(error, 'ask what it may do', namespace ?? 'default');
  });
  return reviewSchema.parse(answer).status.allowed;
}

function nameOf({ verb, resource, subresource }: Right): string {
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
}

/**
 * Translates a refusal of the cluster for the caller; temporary errors are passed on.
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
