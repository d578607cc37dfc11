import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import { type Member, type Membership, MembershipReader, parseRole, type Role } from '../../../kernel/auth';
import { Organization } from '../record/organization.entity';
import { selectMembers, selectRole } from './memberships.query';

/** Reads roles for the checks of every request. */
@Injectable()
export class MembershipService extends MembershipReader {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
  ) {
    super();
  }

  override async roleOf(userId: string, orgId: string): Promise<Role | null> {
    const row = await selectRole(this.database, orgId, userId);
    return row ? parseRole(row.role) : null;
  }

  override async roleIn(transaction: EntityManager, { userId, orgId }: Membership): Promise<Role | null> {
    const row = await selectRole(transaction, orgId, userId);
    return row ? parseRole(row.role) : null;
  }

  override async membersAmong(memberships: readonly Membership[]): Promise<readonly Member[]> {
    const rows = await selectMembers(this.database, memberships);
    return rows.flatMap(({ user_id: userId, org_id: orgId, role: text }) => {
      const role = parseRole(text);
      return role === null ? [] : [{ userId, orgId, role }];
    });
  }

  override organizationExists(orgId: string): Promise<boolean> {
    return this.organizations.existsBy({ id: orgId });
  }
}
