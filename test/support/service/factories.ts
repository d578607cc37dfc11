import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { displayPrefix, newKey } from '../../../src/accounts/api-keys/keys/key-format';
import type { Role } from '../../../src/kernel/auth';
import { digestOf } from '../../../src/kernel/common';
import { fill } from '../database/fill';
import type { TestDatabase } from '../database/postgres';

export interface TestOrg {
  readonly id: string;
  readonly name: string;
}

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

export interface TestKey {
  readonly id: number;
  /** The key's text. */
  readonly key: string;
}

/** A member with an unbound key. */
export interface TestCaller {
  readonly userId: string;
  readonly email: string;
  readonly orgId: string;
  readonly role: Role;
  readonly keyId: number;
  readonly key: string;
}

/** An organization without members. */
export async function makeOrg(db: DataSource, fields: { name?: string } = {}): Promise<TestOrg> {
  const org = { id: randomUUID(), name: fields.name ?? 'An organization' };
  await db.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [org.id, org.name]);
  return org;
}

/** A user without memberships. */
export async function makeUser(
  db: DataSource,
  fields: {
    email?: string;
    name?: string | null;
    currentOrgId?: string;
    confinedToOrgId?: string;
    disabled?: boolean;
  } = {},
): Promise<TestUser> {
  const id = randomUUID();
  const user = { id, email: fields.email ?? `user-${id}@example.com`, name: fields.name ?? null };
  await db.query(
    `INSERT INTO users (id, email, name, current_org_id, confined_to_org_id, disabled_at)
     VALUES ($1, $2, $3, $4, $5, CASE WHEN $6 THEN now() END)`,
    [
      id,
      user.email,
      user.name,
      fields.currentOrgId ?? null,
      fields.confinedToOrgId ?? null,
      fields.disabled ?? false,
    ],
  );
  return user;
}

/** Adds a member, a new user unless one is given; it becomes their current organization if they have none. */
export async function makeMember(
  db: DataSource,
  orgId: string,
  role: Role = 'member',
  user?: TestUser,
): Promise<TestUser> {
  const member = user ?? (await makeUser(db));
  await db.query('INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, $3)', [
    orgId,
    member.id,
    role,
  ]);
  await db.query('UPDATE users SET current_org_id = coalesce(current_org_id, $1) WHERE id = $2', [
    orgId,
    member.id,
  ]);
  return member;
}

/** Adds many members in one statement: "Person 1" and so on, `person-1.…@example.org`. */
export async function makeMembers(database: TestDatabase, orgId: string, count: number): Promise<void> {
  await fill(
    database,
    `WITH made AS (INSERT INTO users (id, email, name, current_org_id)
                   SELECT gen_random_uuid(), 'person-' || n || '.' || $1 || '@example.org', 'Person ' || n, $1::uuid
                     FROM generate_series(1, $2::integer) n
                   RETURNING id)
     INSERT INTO org_members (org_id, user_id, role) SELECT $1::uuid, id, 'member' FROM made`,
    [orgId, count],
  );
}

/** A key of a user, unbound unless an organization is given. */
export async function makeKey(
  db: DataSource,
  userId: string,
  fields: {
    orgId?: string;
    name?: string;
    createdAt?: Date;
    notBefore?: Date;
    expiresAt?: Date;
    scopes?: readonly string[];
    addressRanges?: readonly string[];
  } = {},
): Promise<TestKey> {
  const key = newKey();
  const [row] = await db.query<[{ id: number }]>(
    `INSERT INTO api_keys (user_id, org_id, name, prefix, digest, not_before, expires_at, scopes, address_ranges, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, now())) RETURNING id`,
    [
      userId,
      fields.orgId ?? null,
      fields.name ?? null,
      displayPrefix(key),
      digestOf(key),
      fields.notBefore ?? null,
      fields.expiresAt ?? null,
      fields.scopes ?? null,
      fields.addressRanges ?? null,
      fields.createdAt ?? null,
    ],
  );
  return { id: row.id, key };
}

/** A new member of an organization, with an unbound key. */
export async function makeCaller(db: DataSource, orgId: string, role: Role = 'member'): Promise<TestCaller> {
  const user = await makeMember(db, orgId, role);
  const key = await makeKey(db, user.id);
  return { userId: user.id, email: user.email, orgId, role, keyId: key.id, key: key.key };
}
