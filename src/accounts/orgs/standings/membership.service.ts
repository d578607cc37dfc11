import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import {
  type Member,
  type Membership,
  MembershipReader,
  ofServiceAccount,
  PermissionTable,
  type Standing,
} from '../../../kernel/auth';
import { Organization } from '../record/organization.entity';
import { selectMembers, selectStanding, type StandingRow } from './memberships.query';

/** Reads roles for the checks of every request. */
@Injectable()
export class MembershipService extends MembershipReader {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    private readonly table: PermissionTable,
  ) {
    super();
  }

  override async standingOf(userId: string, orgId: string): Promise<Standing | null> {
    const row = await selectStanding(this.database, orgId, userId);
    return row === null ? null : this.toStanding(row);
  }

  override async standingIn(
    transaction: EntityManager,
    { userId, orgId }: Membership,
  ): Promise<Standing | null> {
    const row = await selectStanding(transaction, orgId, userId);
    return row === null ? null : this.toStanding(row);
  }

  override async membersAmong(memberships: readonly Membership[]): Promise<readonly Member[]> {
    const rows = await selectMembers(this.database, memberships);
    return rows.map((row) => ({
      userId: row.user_id,
      orgId: row.org_id,
      ...this.toStanding(row),
    }));
  }

  private toStanding(row: StandingRow): Standing {
    const standing = this.table.standing(row.role, row.permissions, row.rules);
    return row.kind === 'person' ? standing : ofServiceAccount(standing);
  }

  override organizationExists(orgId: string): Promise<boolean> {
    return this.organizations.existsBy({ id: orgId });
  }
}
