import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Membership, MembershipReader, parseRole, type Role } from '../../auth';
import { organizationExists, selectMembers, selectRole } from './memberships.query';

/** Reads roles for the checks of every request. */
@Injectable()
export class MembershipService extends MembershipReader {
  constructor(@InjectDataSource() private readonly database: DataSource) {
    super();
  }

  override async roleOf(userId: string, orgId: string): Promise<Role | null> {
    const row = await selectRole(this.database, orgId, userId);
    return row ? parseRole(row.role) : null;
  }

  override membersAmong(memberships: readonly Membership[]): Promise<readonly Membership[]> {
    return selectMembers(this.database, memberships);
  }

  override async organizationExists(orgId: string): Promise<boolean> {
    return organizationExists(this.database, orgId);
  }
}
