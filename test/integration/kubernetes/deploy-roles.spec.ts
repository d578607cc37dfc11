import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { rightsFor, type Right } from '../../../src/drivers/kubernetes/cluster/requirements';
import { ROOT } from '../../support/compiled/compiled-sources';

const FOLDER = join(ROOT, 'deploy/kubernetes');

const roleSchema = z.object({
  rules: z.array(
    z.object({
      apiGroups: z.array(z.string()),
      resources: z.array(z.string()),
      verbs: z.array(z.string()),
    }),
  ),
});

describe('the roles of deploy/kubernetes', () => {
  const granted = (file: string): string[] => {
    const [role] = readFileSync(join(FOLDER, file), 'utf8')
      .split(/^---$/m)
      .map((text) => parse(text) as { kind: string })
      .filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole');
    return roleSchema
      .parse(role)
      .rules.flatMap(({ apiGroups, resources, verbs }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
        ),
      )
      .sort();
  };
  const used = (rights: readonly Right[]): string[] =>
    rights
      .map(
        ({ verb, group, resource, subresource }) =>
          `${verb} ${group}/${resource}${subresource === undefined ? '' : `/${subresource}`}`,
      )
      .sort();
  const plain = { namespace: 'x', throughProxy: false, warmPool: false, ownsNamespaces: false };
  const beyond = (more: Partial<typeof plain>): string[] => {
    const basic = new Set(used(rightsFor(plain)));
    return used(rightsFor({ ...plain, ...more })).filter((right) => !basic.has(right));
  };

  it('grant what the driver does, and nothing else', () => {
    expect(granted('rights.yaml')).toEqual(used(rightsFor(plain)));
    expect(granted('outside.yaml')).toEqual(beyond({ throughProxy: true }));
    expect(granted('components/warm-sandboxes/rights.yaml')).toEqual(beyond({ warmPool: true }));
    expect(granted('components/organizations/rights.yaml')).toEqual(
      used(rightsFor({ ...plain, ownsNamespaces: true })),
    );
  });
});
