import { z } from 'zod';
import { ROOT } from '../compiled/compiled-sources';
import { join } from 'node:path';
import { readManifests } from './manifests';
import type { TestCluster } from './test-cluster';

const tokenSchema = z.object({ status: z.object({ token: z.string() }) });
const ROLES = '/apis/rbac.authorization.k8s.io/v1';

/**
 * Makes a service account that may do in a namespace what a role of `deploy/kubernetes` allows, and nothing else.
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
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
  });
  for (const file of files) {
    const manifests = await readManifests(join(ROOT, 'deploy/kubernetes', file));
    for (const { kind, name: role, object } of manifests) {
      if (kind !== 'Role') continue;
      const metadata = { name: `${name}-${role}`, namespace };
      await api.create(`${ROLES}/namespaces/${namespace}/roles`, { ...object, metadata });
      await api.create(`${ROLES}/namespaces/${namespace}/rolebindings`, {
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
        subjects: [{ kind: 'ServiceAccount', name, namespace }],
      });
    }
  }
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  return tokenSchema.parse(await api.create(path, request)).status.token;
}
