import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { z } from 'zod';
import { AuthCaches, type Caller, mayActAs, type OrgContext } from '../../../kernel/auth';
import { clampLimit, Clock, PageIds, pageOf, serialId } from '../../../kernel/common';
import { boolean, Field, list, model, string, uuid } from '../../../kernel/validation';
import { MembershipService, RankTooLowError } from '../../orgs';
import { BrowserSessionNotFoundError } from '../api-keys.errors';
import { BrowserSession } from './browser-session.entity';
import { endOf, oldestUse } from './browser-session-verifier';
import { BrowserSessionEnded, BrowserSessionResponse } from './browser-sessions.service';
import { type OrgSessionRow, selectOrgSessions } from './org-sessions.read-model';

/** A session in which a member reaches the organization. */
export class OrgSessionResponse extends BrowserSessionResponse {
  @Field(uuid(), { description: 'Whose it is.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  user_id!: string;

  @Field(string(), { description: 'Their address.', example: 'robin@example.com' })
  email!: string;

  @Field(string(), { nullable: true, description: 'Their name.', example: 'Robin' })
  name!: string | null;

  @Field(boolean(), {
    description: 'Whether it reaches this organization only, and not the others of the member.',
    example: true,
  })
  is_bound!: boolean;
}

/** A page of sessions. */
export class OrgSessionPage {
  @Field(list(model(() => OrgSessionResponse)), { description: 'The sessions, newest first.' })
  items!: OrgSessionResponse[];

  @Field(string(), { nullable: true, description: 'The next page; null on the last.', example: null })
  next_page_id!: string | null;
}

const PAGES = new PageIds('org-sessions', z.number().int().positive());

/** Sessions of the members of an organization, for its admins (docs/web-interface.md#sessions). */
@Injectable()
export class OrgSessions {
  constructor(
    @InjectRepository(BrowserSession) private readonly sessions: Repository<BrowserSession>,
    private readonly members: MembershipService,
    private readonly caches: AuthCaches,
    private readonly clock: Clock,
  ) {}

  /** A page of them, of one member where one is named. @throws PageIdInvalidError */
  async list(
    caller: Caller,
    { orgId }: Pick<OrgContext, 'orgId'>,
    query: { readonly user_id: string | null; readonly page_id: string | null; readonly limit: number },
  ): Promise<OrgSessionPage> {
    const limit = clampLimit(query.limit);
    const from = PAGES.read(query.page_id);
    const rows = await this.read(orgId, { userId: query.user_id, id: null, from, limit: limit + 1 });
    return pageOf(
      rows,
      limit,
      (row) => toResponse(row, caller.sessionId),
      (row) => PAGES.write(row.id),
    );
  }

  /**
   * Signs a member out of a browser; later requests with the session are 401.
   * @throws BrowserSessionNotFoundError, RankTooLowError
   */
  async end(caller: Caller, org: OrgContext, idText: string): Promise<BrowserSessionEnded> {
    const id = serialId(idText);
    const [row] = id === null ? [] : await this.read(org.orgId, { userId: null, id, from: null, limit: 1 });
    if (row === undefined) throw new BrowserSessionNotFoundError();
    const owner = await this.members.standingOf(row.user_id, org.orgId);
    const own = await this.members.standingOf(caller.userId, org.orgId);
    const mayEnd =
      row.user_id === caller.userId ||
      owner === null ||
      (own !== null && (own.role === 'owner' || mayActAs(own, owner)));
    if (!mayEnd) throw new RankTooLowError();
    const { manager } = this.sessions;
    await manager.transaction((transaction) => transaction.delete(BrowserSession, { id: row.id }));
    this.caches.clear();
    return { message: 'The session was ended.' };
  }

  private read(
    orgId: string,
    which: Pick<Parameters<typeof selectOrgSessions>[1], 'userId' | 'id' | 'from' | 'limit'>,
  ): Promise<OrgSessionRow[]> {
    const now = this.clock.now();
    return selectOrgSessions(this.sessions.manager, { orgId, now, oldestUse: oldestUse(now), ...which });
  }
}

function toResponse(row: OrgSessionRow, currentId: number | undefined): OrgSessionResponse {
  const end = endOf({ lastUsedAt: row.last_used_at, credentialExpiresAt: row.credential_expires_at });
  return {
    id: row.id,
    api_key_id: row.api_key_id,
    user_agent: row.user_agent,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: end.toISOString(),
    is_current: row.id === currentId,
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    is_bound: row.bound,
  };
}
