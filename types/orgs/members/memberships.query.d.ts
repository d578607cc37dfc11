import type { Membership } from '../../auth';
import { type ColumnsOf, type SqlRunner } from '../../database';
import type { OrgMember } from '../record/org-member.entity';
/**
 * The role of a member who is not disabled. By hand: requests wait for it whenever the cached one has expired, and
 * building and reading an entity would cost more than the statement.
 */
export declare function selectRole(database: SqlRunner, orgId: string, userId: string): Promise<ColumnsOf<OrgMember, 'role'> | null>;
/**
 * Those of some users who are members of the organizations named with them, and not disabled. By hand: pairs are
 * looked up, and twice a second while connections are open.
 */
export declare function selectMembers(database: SqlRunner, memberships: readonly Membership[]): Promise<readonly ColumnsOf<OrgMember, 'userId' | 'orgId' | 'role'>[]>;
