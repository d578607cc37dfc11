import { type ColumnsOf, type SqlRunner } from '../../database';
import type { Organization } from './organization.entity';
import type { User } from './user.entity';
/** Locks both rows, the organization's first. By hand: one statement instead of two in every call that invites. */
export declare function lockOrganizationAndUser(transaction: SqlRunner, orgId: Organization['id'], userId: User['id']): Promise<ColumnsOf<User, 'email'> | null>;
