/** The organizations that the list is measured in. */
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { displayPrefix, newKey } from '../src/accounts/api-keys/keys/key-format';
import { digestOf } from '../src/kernel/common';

/** An organization, with a key of an owner. */
export interface Org {
  readonly id: string;
  readonly conversations: number;
  readonly key: string;
}

/** The organizations nearest to these sizes. @throws Error when there is none */
export async function organizations(database: DataSource, sizes: readonly number[]): Promise<Org[]> {
  const held = await database.query<{ org_id: string; n: number }[]>(
    `SELECT org_id, sum(conversations)::integer AS n FROM conversation_counts
      WHERE day = '-infinity' AND NOT is_sub GROUP BY 1`,
  );
  const chosen = sizes.map((size) => held.toSorted((a, b) => Math.abs(a.n - size) - Math.abs(b.n - size))[0]);
  const orgs: Org[] = [];
  for (const org of new Set(chosen)) {
    if (org === undefined) throw new Error('The database is empty: fill it with npm run bench:seed.');
    orgs.push({ id: org.org_id, conversations: org.n, key: await ownerKey(database, org.org_id) });
  }
  return orgs;
}

async function ownerKey(database: DataSource, orgId: string): Promise<string> {
  const [user, key] = [randomUUID(), newKey()];
  await database.query('INSERT INTO users (id, email) VALUES ($1, $2)', [user, `${user}@bench.example.com`]);
  await database.query(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'owner')`, [
    orgId,
    user,
  ]);
  await database.query('INSERT INTO api_keys (user_id, prefix, digest) VALUES ($1, $2, $3)', [
    user,
    displayPrefix(key),
    digestOf(key),
  ]);
  return key;
}
