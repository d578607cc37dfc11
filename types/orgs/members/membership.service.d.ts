import { DataSource, type EntityManager, Repository } from 'typeorm';
import { type Member, type Membership, MembershipReader, type Role } from '../../auth';
import { Organization } from '../record/organization.entity';
/** Reads roles for the checks of every request. */
export declare class MembershipService extends MembershipReader {
    private readonly database;
    private readonly organizations;
    constructor(database: DataSource, organizations: Repository<Organization>);
    roleOf(userId: string, orgId: string): Promise<Role | null>;
    /** Whether a user is a member, and not disabled, as a transaction sees it. */
    isMember(transaction: EntityManager, { userId, orgId }: Membership): Promise<boolean>;
    membersAmong(memberships: readonly Membership[]): Promise<readonly Member[]>;
    organizationExists(orgId: string): Promise<boolean>;
}
