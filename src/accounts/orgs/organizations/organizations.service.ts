import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { AuthCaches, type Caller, NotAMemberError, type OrgContext } from '../../../kernel/auth';
import { clampLimit, PageIds, pageOf, storableText } from '../../../kernel/common';
import { Organization } from '../record/organization.entity';
import { User } from '../record/user.entity';
import type { OrganizationPage, OrganizationResponse, PageQuery } from './organizations.dto';
import { type OrganizationRow, selectOrganizations } from './organizations.query';

const PAGES = PageIds.byId('organizations');

/** The organizations of users. */
@Injectable()
export class OrganizationsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly caches: AuthCaches,
  ) {}

  /** The caller's organizations by id; with a bound key that one only. */
  async list(caller: Caller, query: PageQuery): Promise<OrganizationPage> {
    const limit = clampLimit(query.limit);
    const rows = await selectOrganizations(this.database, {
      userId: caller.userId,
      onlyOrgId: caller.boundOrgId,
      from: PAGES.read(query.page_id),
      limit: limit + 1,
    });
    return {
      ...pageOf(rows, limit, toResponse, ({ id }) => PAGES.write(id)),
      current_org_id: caller.boundOrgId ?? caller.currentOrgId,
    };
  }

  /** The organization, as one in this role sees it. @throws NotAMemberError where it is gone */
  async get({ orgId, role }: OrgContext): Promise<OrganizationResponse> {
    const organization = await this.organizations.findOneBy({ id: orgId });
    if (organization === null) throw new NotAMemberError();
    const { id, name, createdAt } = organization;
    return toResponse({ id, name, role, created_at: createdAt });
  }

  async rename(org: OrgContext, name: string): Promise<OrganizationResponse> {
    await this.organizations.manager.transaction((transaction) =>
      transaction.getRepository(Organization).update({ id: org.orgId }, { name: storableText(name) }),
    );
    return this.get(org);
  }

  /**
   * Makes the organization the one that requests without a selector act in. A bound key acts in its own anyway, and
   * moves nothing for the user's other keys.
   */
  async switchTo(caller: Caller, org: OrgContext): Promise<OrganizationResponse> {
    if (caller.boundOrgId !== null) return this.get(org);
    await this.users.manager.transaction((transaction) =>
      transaction.getRepository(User).update({ id: caller.userId }, { currentOrgId: org.orgId }),
    );
    this.caches.clear();
    return this.get(org);
  }
}

function toResponse({ id, name, role, created_at }: OrganizationRow): OrganizationResponse {
  return { id, name, role, created_at: created_at.toISOString() };
}
