import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuthCaches, type Caller, type OrgContext, PermissionDeniedError } from '../../../kernel/auth';
import { LockedStandings } from '../standings/locked-standings';
import type { OrganizationEndResponse } from './ending.dto';
import { OrganizationEnding } from './organization-ending';

/** Organizations that their owners delete. */
@Injectable()
export class OrganizationDeletion {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly standings: LockedStandings,
    private readonly ending: OrganizationEnding,
    private readonly caches: AuthCaches,
  ) {}

  /**
   * @param confirm the name of the organization
   * @throws NotAMemberError, PermissionDeniedError, NotConfirmedError, OrganizationHeldError, OrganizationEndingError
   */
  async delete({ userId }: Caller, { orgId }: OrgContext, confirm: string): Promise<OrganizationEndResponse> {
    const at = await this.database.transaction(async (transaction) => {
      const { permissions } = await this.standings.of(transaction, orgId, { userId });
      if (!permissions.has('delete_organization')) throw new PermissionDeniedError('delete_organization');
      return this.ending.begin(transaction, orgId, { confirm, byUserId: userId });
    });
    this.caches.clear();
    return { org_id: orgId, ending_at: at.toISOString() };
  }
}
