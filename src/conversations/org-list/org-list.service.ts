import { Injectable } from '@nestjs/common';
import { Clock, parseUuid } from '../../common';
import { SandboxReader } from '../../sandboxes';
import { ConversationNotFoundError } from '../conversations.errors';
import { ListTotals } from './list-totals';
import { listCondition, type ListCondition } from './list-condition';
import { orderOfFound, sortKey, walk } from './list-order';
import { type OrgConversationRow, toOrgConversation } from './org-conversation.mapper';
import type {
  OrgConversationPage,
  OrgConversationResponse,
  OrgConversationsQuery,
} from './org-conversations.dto';
import { OrgListDatabase } from './org-list-database';
import { BESIDE, ROWS } from './org-rows';

/** A page that was found: its rows, and how many there are on all pages. */
interface Found {
  readonly total: number;
  readonly rows: readonly OrgConversationRow[];
}

/** Reads the conversations of an organization for its admins (interface 4.5, 4.6; decisions 12). */
@Injectable()
export class OrgListService {
  constructor(
    private readonly database: OrgListDatabase,
    private readonly totals: ListTotals,
    private readonly sandboxes: SandboxReader,
    private readonly clock: Clock,
  ) {}

  /** @throws ConversationsUnavailableError */
  async list(orgId: string, query: OrgConversationsQuery): Promise<OrgConversationPage> {
    const filtersPage = query.sandbox_status !== null && !query.accurate_totals;
    const condition = listCondition(orgId, query, this.clock.now(), !filtersPage);
    const { total, rows } = condition.counted
      ? await this.walked(condition, query)
      : await this.found(condition, query);
    const items = rows.map((row) => this.record(row));
    return {
      items: filtersPage ? items.filter((item) => item.sandbox_status === query.sandbox_status) : items,
      total_items: total,
      page: query.page,
      per_page: query.per_page,
      total_pages: Math.ceil(total / query.per_page),
      pagination_accurate: !filtersPage,
    };
  }

  /** @throws ConversationNotFoundError, ConversationsUnavailableError */
  async get(orgId: string, conversationId: string): Promise<OrgConversationResponse> {
    const id = parseUuid(conversationId);
    if (id === null) throw new ConversationNotFoundError();
    const [row] = await this.database.query<OrgConversationRow>(
      `${ROWS} FROM conversations c ${BESIDE} WHERE c.id = $1 AND c.org_id = $2 AND c.deleted_at IS NULL`,
      [id, orgId],
    );
    if (row === undefined) throw new ConversationNotFoundError();
    return this.record(row);
  }

  private record(row: OrgConversationRow): OrgConversationResponse {
    return toOrgConversation(row, (sandbox) => this.sandboxes.publicUrlOf(sandbox));
  }

  /** A page along an index, from whichever end of the list is nearer. */
  private async walked(condition: ListCondition, query: OrgConversationsQuery): Promise<Found> {
    const where = condition.branches.join(' OR ');
    const total = await this.totals.total(condition.orgId, query, condition.now);
    const offset = (query.page - 1) * query.per_page;
    if (offset >= total) return { total, rows: [] };
    const limit = Math.min(query.per_page, total - offset);
    const backwards = offset > total / 2;
    const stretch = { limit, offset: backwards ? total - offset - limit : offset };
    const rows = await this.database.query<OrgConversationRow>(
      `${ROWS} FROM (${walk(query, where, stretch, backwards)}) p
        JOIN conversations c ON c.id = p.id AND c.deleted_at IS NULL ${BESIDE}
       ORDER BY p.position ${backwards ? 'DESC' : 'ASC'}`,
      condition.parameters,
    );
    return { total, rows };
  }

  /** A page of what has to be found first: all matches are counted and sorted once. */
  private async found(condition: ListCondition, query: OrgConversationsQuery): Promise<Found> {
    const { from, branches, parameters } = condition;
    const offset = (query.page - 1) * query.per_page;
    const matches = branches
      .map((branch) => `SELECT c.id, ${sortKey(query)} AS key FROM ${from} WHERE ${branch}`)
      .join(' UNION ALL ');
    const [page] = await this.database.query<{ total: number; ids: string[] }>(
      `WITH found AS MATERIALIZED (${matches})
       SELECT (SELECT count(*)::integer FROM found) AS total,
              ARRAY(SELECT id FROM found ORDER BY ${orderOfFound(query)}
                     LIMIT ${query.per_page} OFFSET ${Math.min(offset, Number.MAX_SAFE_INTEGER)}) AS ids`,
      parameters,
    );
    const { total, ids } = page ?? { total: 0, ids: [] };
    if (ids.length === 0) return { total, rows: [] };
    const rows = await this.database.query<OrgConversationRow>(
      `${ROWS} FROM unnest($1::uuid[]) WITH ORDINALITY AS p (id, position)
        JOIN conversations c ON c.id = p.id AND c.deleted_at IS NULL ${BESIDE}
       ORDER BY p.position`,
      [ids],
    );
    return { total, rows };
  }
}
