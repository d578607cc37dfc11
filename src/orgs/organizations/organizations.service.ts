import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuthCaches, type Caller, NotAMemberError, type OrgContext, type Role } from '../../auth';
import { clampLimit, pageOf, storableText } from '../../common';
import type { OrganizationPage, OrganizationResponse, PageQuery } from './organizations.dto';

interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at: Date;
}

/** The organizations of users. */
@Injectable()
export class OrganizationsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly caches: AuthCaches,
  ) {}

  /** The caller's organizations by id; with a bound key that one only. */
  async list(caller: Caller, query: PageQuery): Promise<OrganizationPage> {
    const limit = clampLimit(query.limit);
    const rows = await this.database.query<OrganizationRow[]>(
      `SELECT o.id, o.name, m.role, o.created_at
         FROM org_members m JOIN organizations o ON o.id = m.org_id
        WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.org_id = $2) AND ($3::uuid IS NULL OR m.org_id >= $3)
        ORDER BY m.org_id LIMIT $4`,
      [caller.userId, caller.boundOrgId, query.page_id, limit + 1],
    );
    return {
      ...pageOf(rows, limit, toResponse, ({ id }) => id),
      current_org_id: caller.boundOrgId ?? caller.currentOrgId,
    };
  }

  /** The organization as the caller sees it. */
  async get(caller: Caller, org: OrgContext): Promise<OrganizationResponse> {
    const [row] = await this.database.query<OrganizationRow[]>(
      `SELECT o.id, o.name, m.role, o.created_at
         FROM org_members m JOIN organizations o ON o.id = m.org_id
        WHERE m.user_id = $1 AND m.org_id = $2`,
      [caller.userId, org.orgId],
    );
    if (!row) throw new NotAMemberError();
    return toResponse(row);
  }

  async rename(caller: Caller, org: OrgContext, name: string): Promise<OrganizationResponse> {
    await this.database.query('UPDATE organizations SET name = $1 WHERE id = $2', [
      storableText(name),
      org.orgId,
    ]);
    return this.get(caller, org);
  }

  /** Makes the organization the one that requests without a selector act in. */
  async switchTo(caller: Caller, org: OrgContext): Promise<OrganizationResponse> {
    await this.database.query('UPDATE users SET current_org_id = $1 WHERE id = $2', [
      org.orgId,
      caller.userId,
    ]);
    this.caches.clear();
    return this.get(caller, org);
  }
}

function toResponse({ id, name, role, created_at }: OrganizationRow): OrganizationResponse {
  return { id, name, role, created_at: created_at.toISOString() };
}
