import { Inject, Injectable } from '@nestjs/common';
import { Clock, parseUuid } from '../../../../kernel/common';
import { SandboxReader } from '../../../../sandboxes/sandboxes';
import { smallOf } from '../../listed/listed-conversation.query';
import { ConversationNotFoundError } from '../../record/conversations.errors';
import { listCondition, type ListCondition } from './list-condition.read-model';
import type { PageWindow } from './list-order.query';
import {
  foundPage,
  foundTotal,
  indexedPage,
  ONE_CONVERSATION,
  type PageRow,
  totalOf,
} from './list-page.read-model';
import { toOrgConversation } from './org-conversation.mapper';
import type {
  OrgConversationPage,
  OrgConversationResponse,
  OrgConversationsQuery,
} from './org-conversations.dto';
import { OrgListDatabase } from '../database/org-list-database';
import type { OrgConversationRow } from './org-conversation.read-model';

/** A page that was found: its rows, and how many there are on all pages. */
interface Found {
  readonly total: number;
  readonly rows: readonly PageRow[];
}

/** A page; tags and pull requests of some of its records may be left out. */
interface ListedPage {
  readonly page: OrgConversationPage;
  /** The bytes that were left out, by record id. */
  readonly unreadBytes: ReadonlyMap<string, number>;
}

/** What a record contains in place of the columns that were left out. */
const UNREAD: Pick<OrgConversationRow, 'tags' | 'prNumber'> = { tags: {}, prNumber: [] };

/** Up to so many rows are skipped without asking first from which end of the list they are nearer. */
const MAX_OFFSET_FROM_START = 1_000;

/** Reads the conversations of an organization for its admins (docs/contract.md#organization-list). */
@Injectable()
export class OrgListService {
  constructor(
    private readonly database: OrgListDatabase,
    @Inject(SandboxReader) private readonly sandboxes: Pick<SandboxReader, 'conversationBaseOf'>,
    private readonly clock: Clock,
  ) {}

  /** @throws ConversationsUnavailableError */
  async list(orgId: string, query: OrgConversationsQuery): Promise<ListedPage> {
    const filtersPage = query.sandbox_status !== null && !query.accurate_totals;
    const condition = listCondition(orgId, query, this.clock.now(), !filtersPage);
    const { total, rows } =
      condition.counted === null
        ? await this.found(condition, query)
        : await this.walked(condition, condition.counted, query);
    const items = rows.map((row) => this.record({ ...row, ...(smallOf<OrgConversationRow>(row) ?? UNREAD) }));
    const page = {
      items: filtersPage ? items.filter((item) => item.sandbox_status === query.sandbox_status) : items,
      total_items: total,
      page: query.page,
      per_page: query.per_page,
      total_pages: Math.ceil(total / query.per_page),
      pagination_accurate: !filtersPage,
    };
    const unread = rows.filter((row) => smallOf(row) === null);
    return { page, unreadBytes: new Map(unread.map(({ id, largeBytes }) => [id, largeBytes])) };
  }

  /** @throws ConversationNotFoundError, ConversationsUnavailableError */
  async get(orgId: string, conversationId: string): Promise<OrgConversationResponse> {
    const id = parseUuid(conversationId);
    if (id === null) throw new ConversationNotFoundError();
    const [row] = await this.database.rows<OrgConversationRow>(ONE_CONVERSATION, [id, orgId]);
    if (row === undefined) throw new ConversationNotFoundError();
    return this.record(row);
  }

  private record(row: OrgConversationRow): OrgConversationResponse {
    return toOrgConversation(row, (sandbox) => this.sandboxes.conversationBaseOf(sandbox));
  }

  /** A page along an index; far from the beginning, from whichever end of the list is nearer. */
  private async walked(
    condition: ListCondition,
    counted: string,
    query: OrgConversationsQuery,
  ): Promise<Found> {
    const read = (window: PageWindow, backwards: boolean): Promise<PageRow[]> =>
      this.database.rows<PageRow>(
        indexedPage(condition, counted, query, window, backwards),
        condition.parameters,
        // By its index, whatever the organization and the statuses; far pages and windows are many texts.
        { samePlan: window.offset === 0 && query.time_window === 'all' },
      );
    const offset = offsetOf(query);
    const limit = query.per_page;
    if (offset <= MAX_OFFSET_FROM_START) {
      const rows = await read({ offset, limit }, false);
      const [first] = rows;
      if (first !== undefined || offset === 0) return { total: first?.total ?? 0, rows };
    }
    const total = await this.total(totalOf(counted), condition.parameters);
    if (offset <= MAX_OFFSET_FROM_START || offset >= total) return { total, rows: [] };
    const backwards = offset > total / 2;
    const size = Math.min(limit, total - offset);
    const rows = await read({ offset: backwards ? total - offset - size : offset, limit: size }, backwards);
    return { total, rows };
  }

  /** A page of a search without a usable order. */
  private async found(condition: ListCondition, query: OrgConversationsQuery): Promise<Found> {
    const { parameters } = condition;
    const window = { offset: offsetOf(query), limit: query.per_page };
    const rows = await this.database.rows<PageRow>(foundPage(condition, query, window), parameters);
    const [first] = rows;
    if (first !== undefined || window.offset === 0) return { total: first?.total ?? 0, rows };
    return { total: await this.total(foundTotal(condition, query), parameters), rows };
  }

  private async total(sql: string, parameters: readonly unknown[]): Promise<number> {
    return (await this.database.row<{ total: number }>(sql, parameters)).total;
  }
}

function offsetOf({ page, per_page }: OrgConversationsQuery): number {
  return Math.min((page - 1) * per_page, Number.MAX_SAFE_INTEGER);
}
