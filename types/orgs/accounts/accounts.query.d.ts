import { type ColumnsOf, type SqlRunner } from '../../database';
import type { Organization } from '../record/organization.entity';
import type { OrgMember } from '../record/org-member.entity';
import type { User } from '../record/user.entity';
type NewUserRow = Pick<User, 'id' | 'email' | 'name' | 'confinedToOrgId'>;
type NewMemberRow = Pick<OrgMember, 'orgId' | 'userId' | 'role'>;
/**
 * Adds a user, unless one has the address already. By hand: of two concurrent calls, exactly one adds the user,
 * and the transaction of the other goes on.
 */
export declare function insertUser(transaction: SqlRunner, user: NewUserRow): Promise<boolean>;
/** Adds a member, unless the user is one already. By hand for the same reason as {@link insertUser}. */
export declare function insertMember(transaction: SqlRunner, member: NewMemberRow): Promise<boolean>;
/**
 * Makes the organization current for a user who has no current one, or one they left. By hand: condition and
 * change are one statement.
 */
export declare function fillCurrentOrganization(transaction: SqlRunner, orgId: Organization['id'], userId: User['id']): Promise<void>;
/**
 * Disables a user, who keeps the time of the first call. By hand: the time is the database's, and read and
 * change are one statement.
 */
export declare function disableUser(transaction: SqlRunner, email: string): Promise<(ColumnsOf<User, 'id'> & {
    readonly disabled_at: Date;
}) | null>;
export {};
