import { z } from 'zod';
import { ROOT } from '../compiled/compiled-sources';
import { join } from 'node:path';
import { readManifests } from './manifests';
import type { TestCluster } from './test-cluster';

const tokenSchema = z.object({ status: z.object({ token: z.string() }) });
const GROUP = 'rbac.authorization.k8s.io';
const ROLES = `/apis/${GROUP}/v1`;

/**
 * Makes a service account that may do what roles of `deploy/kubernetes` allow, and nothing else: those of a namespace in the
 * one that is given.
 * @param files with roles, below `deploy/kubernetes`
 * @returns its token
 */
export async function serviceAccount(
  { api }: Pick<TestCluster, 'api'>,
  namespace: string,
  files: readonly string[] = ['rights.yaml'],
  name = 'service-of-tests',
): Promise<string> {
  await api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace },
  });
  for (const file of files) {
    const manifests = await readManifests(join(ROOT, 'deploy/kubernetes', file));
    for (const { kind, name: role, object } of manifests) {
      if (kind !== 'Role' && kind !== 'ClusterRole') continue;
      const [where, within] =
        kind === 'Role' ? [`${ROLES}/namespaces/${namespace}`, { namespace }] : [ROLES, {}];
      const metadata = { name: `${namespace}-${name}-${role}`, ...within };
      await api.create(`${where}/${kind.toLowerCase()}s`, { ...object, metadata });
      await api.create(`${where}/${kind.toLowerCase()}bindings`, {
        apiVersion: `${GROUP}/v1`,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: GROUP, kind, name: metadata.name },
        subjects: [{ kind: 'ServiceAccount', name, namespace }],
      });
    }
  }
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  return tokenSchema.parse(await api.create(path, request)).status.token;
}
