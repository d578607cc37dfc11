import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../../kernel/database';
import type { Role } from '../../kernel/auth';
import type { ServiceAccount } from './service-account.entity';

/** A service account with the user, the member and the owner that it is about, who belong to the module of organizations, and its identity. */
export interface ServiceAccountRow extends ColumnsOf<ServiceAccount, 'userId' | 'createdAt'> {
  readonly name: string;
  readonly role: Role;
  readonly own_role: {
    readonly id: string;
    readonly name: string;
    readonly permissions: readonly string[];
  } | null;
  readonly identity: {
    readonly provider_id: string;
    readonly subject: string;
    readonly bound_by_user_id: string;
  } | null;
  readonly owner: { readonly user_id: string; readonly email: string; readonly name: string | null } | null;
}

/** By hand: one statement with all that is shown of them. */
const SELECT_SERVICE_ACCOUNTS = `
  SELECT s.user_id, s.created_at, u.name, m.role,
         CASE WHEN r.id IS NOT NULL THEN json_build_object(
           'id', r.id, 'name', r.name, 'permissions', r.permissions) END AS own_role,
         CASE WHEN i.subject IS NOT NULL THEN json_build_object(
           'provider_id', i.provider_id, 'subject', i.subject, 'bound_by_user_id', i.bound_by_user_id) END AS identity,
         CASE WHEN o.id IS NOT NULL THEN json_build_object('user_id', o.id, 'email', o.email, 'name', o.name) END AS owner
    FROM service_accounts s
    JOIN users u ON u.id = s.user_id
    JOIN org_members m ON m.org_id = s.org_id AND m.user_id = s.user_id
    LEFT JOIN org_roles r ON r.id = m.own_role_id
    LEFT JOIN user_identities i ON i.user_id = s.user_id
    LEFT JOIN users o ON o.id = s.owner_user_id
   WHERE s.org_id = $1`;

/** All of an organization, by name. */
export function selectServiceAccounts(database: SqlRunner, orgId: string): Promise<ServiceAccountRow[]> {
  return queryRows(database, `${SELECT_SERVICE_ACCOUNTS} ORDER BY lower(u.name), s.user_id`, [orgId]);
}

export function selectServiceAccount(
  database: SqlRunner,
  orgId: string,
  id: string,
): Promise<ServiceAccountRow | null> {
  return queryRow(database, `${SELECT_SERVICE_ACCOUNTS} AND s.user_id = $2`, [orgId, id]);
}
