import { type ColumnsOf, type SqlRunner } from '../../database';
import type { OrgMember } from '../record/org-member.entity';
import type { User } from '../record/user.entity';
/** A member with what is shown of the user. */
export type MemberRow = ColumnsOf<OrgMember, 'userId' | 'role' | 'createdAt'> & ColumnsOf<User, 'email' | 'name' | 'disabledAt'>;
/**
 * Members by user id.
 * @param from the first user id of the page; null for the first page
 */
export declare function selectMembers(database: SqlRunner, orgId: string, from: string | null, limit: number): Promise<MemberRow[]>;
export declare function selectMember(database: SqlRunner, orgId: string, userId: string): Promise<MemberRow | null>;
