import { Injectable } from '@nestjs/common';
import { Clock, parseUuid } from '../../../common';
import { SandboxReader } from '../../../sandboxes';
import { ConversationNotFoundError } from '../../record/conversations.errors';
import { listCondition, type ListCondition } from './list-condition.read-model';
import { orderBy, sortKey, type PageWindow, walk } from './list-order.query';
import { toOrgConversation } from './org-conversation.mapper';
import type {
  OrgConversationPage,
  OrgConversationResponse,
  OrgConversationsQuery,
} from './org-conversations.dto';
import { OrgListDatabase } from './org-list-database';
import { COLUMNS, FROM, type OrgConversationRow } from './org-conversation.read-model';

/** A page that was found: its rows, and how many there are on all pages. */
interface Found {
  readonly total: number;
  readonly rows: readonly OrgConversationRow[];
}

/** A row of a page tells the total as well, so that both are of one moment. */
type PageRow = OrgConversationRow & { readonly total: number };

/** Up to so many rows are skipped without asking first from which end of the list they are nearer. */
const NEAR = 1_000;

/** Reads the conversations of an organization for its admins (docs/contract.md#organization-list). */
@Injectable()
export class OrgListService {
  constructor(
    private readonly database: OrgListDatabase,
    private readonly sandboxes: SandboxReader,
    private readonly clock: Clock,
  ) {}

  /** @throws ConversationsUnavailableError */
  async list(orgId: string, query: OrgConversationsQuery): Promise<OrgConversationPage> {
    const filtersPage = query.sandbox_status !== null && !query.accurate_totals;
    const condition = listCondition(orgId, query, this.clock.now(), !filtersPage);
    const { total, rows } =
      condition.counted === null
        ? await this.found(condition, query)
        : await this.walked(condition, condition.counted, query);
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
    const [row] = await this.database.rows<OrgConversationRow>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE c.id = $1 AND c.org_id = $2 AND c.deleted_at IS NULL`,
      [id, orgId],
    );
    if (row === undefined) throw new ConversationNotFoundError();
    return this.record(row);
  }

  private record(row: OrgConversationRow): OrgConversationResponse {
    return toOrgConversation(row, (sandbox) => this.sandboxes.publicUrlOf(sandbox));
  }

  /** A page along an index; far from the beginning, from whichever end of the list is nearer. */
  private async walked(
    { branches, parameters }: ListCondition,
    counted: string,
    query: OrgConversationsQuery,
  ): Promise<Found> {
    const where = branches.join(' OR ');
    const read = ({ offset, limit }: PageWindow, backwards: boolean): Promise<PageRow[]> => {
      const ids = walk(query, where, { offset, limit }, backwards);
      // Nothing is looked for behind the last one there is: that would be a walk to the end of the index.
      const left = `(SELECT greatest(total - ${offset}, 0)::bigint FROM counted)`;
      return this.database.rows<PageRow>(
        `WITH counted AS MATERIALIZED (SELECT ${counted} AS total)
         ${pageOf(query, 'SELECT total FROM counted', `SELECT id FROM (${ids}) walked LIMIT ${left}`)}`,
        parameters,
        // By its index, whatever the organization and the statuses; far pages and windows are many texts.
        { samePlan: offset === 0 && query.time_window === 'all' },
      );
    };
    const offset = offsetOf(query);
    const limit = query.per_page;
    if (offset <= NEAR) {
      const rows = await read({ offset, limit }, false);
      const [first] = rows;
      if (first !== undefined || offset === 0) return { total: first?.total ?? 0, rows };
    }
    const total = await this.total(`SELECT ${counted} AS total`, parameters);
    if (offset <= NEAR || offset >= total) return { total, rows: [] };
    const backwards = offset > total / 2;
    const size = Math.min(limit, total - offset);
    const rows = await read({ offset: backwards ? total - offset - size : offset, limit: size }, backwards);
    return { total, rows };
  }

  /** A page of what has to be found first: all matches are counted and sorted once. */
  private async found(
    { from, branches, parameters }: ListCondition,
    query: OrgConversationsQuery,
  ): Promise<Found> {
    const offset = offsetOf(query);
    const matches = branches
      .map((branch) => `SELECT c.id, ${sortKey(query)} AS key FROM ${from} WHERE ${branch}`)
      .join(' UNION ALL ');
    const ids = `SELECT id FROM found ORDER BY ${orderBy(query, 'key', 'id')} LIMIT ${query.per_page} OFFSET ${offset}`;
    const rows = await this.database.rows<PageRow>(
      `WITH found AS MATERIALIZED (${matches}) ${pageOf(query, 'SELECT count(*) FROM found', ids)}`,
      parameters,
    );
    const [first] = rows;
    if (first !== undefined || offset === 0) return { total: first?.total ?? 0, rows };
    return { total: await this.total(`SELECT count(*) AS total FROM (${matches}) found`, parameters), rows };
  }

  private async total(sql: string, parameters: readonly unknown[]): Promise<number> {
    return (await this.database.row<{ total: number }>(sql, parameters)).total;
  }
}

/** The rows with these ids, each with the total. */
function pageOf(query: OrgConversationsQuery, total: string, ids: string): string {
  return `SELECT ${COLUMNS}, (${total}) AS total FROM ${FROM}
           WHERE c.id = ANY (ARRAY(${ids}))
           ORDER BY ${orderBy(query, sortKey(query), 'c.id')}`;
}

function offsetOf({ page, per_page }: OrgConversationsQuery): number {
  return Math.min((page - 1) * per_page, Number.MAX_SAFE_INTEGER);
}
