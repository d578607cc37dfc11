import { z } from 'zod';
import { DriverError } from '../../../sandboxes/driver-port';
import { EXTENSIONS_GROUP, SANDBOX_GROUP, SANDBOX_VERSION } from '../objects/paths';
import { isNotFound } from './api-errors';
import type { ClusterApi } from './cluster-api';
import { explained } from './refusals';

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
          ...{ verb, group: '', resource: 'pods' },
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

/** What is at a path; undefined where nothing is. @throws DriverError, ApiUnavailable */
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
