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
  type PageForm,
  type PageRow,
  type PageTextRow,
  totalOf,
} from './list-page.read-model';
import { statusPage, statusTotal } from './status-page.read-model';
import { withoutGaps } from './org-conversation-json.read-model';
import { toOrgConversation } from './org-conversation.mapper';
import type {
  OrgConversationPage,
  OrgConversationResponse,
  OrgConversationsQuery,
} from './org-conversations.dto';
import { OrgListDatabase } from '../database/org-list-database';
import type { OrgConversationRow } from './org-conversation.read-model';

/** A page that was found: its rows, and how many there are on all pages. */
interface Found<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** A page; tags and pull requests of some of its records may be left out. */
export interface ListedPage {
  readonly page: OrgConversationPage;
  /** The bytes that were left out, by record id. */
  readonly unreadBytes: ReadonlyMap<string, number>;
}

/** What a record contains in place of the columns that were left out. */
const UNREAD: Pick<OrgConversationRow, 'tags' | 'prNumber'> = { tags: {}, prNumber: [] };

/** A page behind the last one. */
const EMPTY: Omit<PageTextRow, 'total'> = { records: '', isWhole: true };

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
    const { total, rows } = await this.page<PageRow>('rows', orgId, query);
    const items = rows.map((row) => this.record({ ...row, ...(smallOf<OrgConversationRow>(row) ?? UNREAD) }));
    const page = {
      items: filtersPage(query)
        ? items.filter((item) => item.sandbox_status === query.sandbox_status)
        : items,
      ...numbersOf(query, total),
    };
    const unread = rows.filter((row) => smallOf(row) === null);
    return { page, unreadBytes: new Map(unread.map(({ id, largeBytes }) => [id, largeBytes])) };
  }

  /**
   * The page of {@link list} as JSON text, as the database wrote it.
   * @returns null where tags and pull requests of a record are large
   * @throws ConversationsUnavailableError
   */
  async text(orgId: string, query: OrgConversationsQuery): Promise<string | null> {
    const { total, rows } = await this.page<PageTextRow>('text', orgId, query);
    const [{ records, isWhole } = EMPTY] = rows;
    if (!isWhole) return null;
    const items = withoutGaps(records, (sandbox) => this.sandboxes.conversationBaseOf(sandbox));
    return `{"items":[${items}],${JSON.stringify(numbersOf(query, total)).slice(1)}`;
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

  private page<Row extends PageRow | PageTextRow>(
    form: PageForm,
    orgId: string,
    query: OrgConversationsQuery,
  ): Promise<Found<Row>> {
    const condition = listCondition(orgId, query, this.clock.now(), !filtersPage(query));
    return condition.counted === null
      ? this.found(form, condition, query)
      : this.walked(form, condition, condition.counted, query);
  }

  /** A page along an index; far from the beginning, from whichever end of the list is nearer. */
  private async walked<Row extends PageRow | PageTextRow>(
    form: PageForm,
    condition: ListCondition,
    counted: string,
    query: OrgConversationsQuery,
  ): Promise<Found<Row>> {
    const read = (window: PageWindow): Promise<Row[]> => {
      const { sql, parameters } = indexedPage(form, condition, counted, query, window);
      // By its index, whatever the organization, the statuses and the window; far pages are many texts.
      return this.database.rows<Row>(sql, parameters, { samePlan: window.offset === 0 });
    };
    const offset = offsetOf(query);
    const limit = query.per_page;
    if (offset <= MAX_OFFSET_FROM_START) {
      const rows = await read({ offset, limit });
      const [first] = rows;
      if (first !== undefined || offset === 0) return { total: first?.total ?? 0, rows };
    }
    const total = await this.total(totalOf(counted), condition.parameters);
    if (offset <= MAX_OFFSET_FROM_START || offset >= total) return { total, rows: [] };
    const backwards = offset > total / 2;
    const size = Math.min(limit, total - offset);
    const start = backwards ? total - offset - size : offset;
    const rows = await read({ offset: start, limit: size, backwards });
    return { total, rows };
  }

  /** A page of a search without a usable order, or of a status of sandboxes. */
  private async found<Row extends PageRow | PageTextRow>(
    form: PageForm,
    condition: ListCondition,
    query: OrgConversationsQuery,
  ): Promise<Found<Row>> {
    const [pageOf, totalOfPage] = condition.isOfStatusAlone
      ? [statusPage, statusTotal]
      : [foundPage, foundTotal];
    const window = { offset: offsetOf(query), limit: query.per_page };
    const { sql, parameters } = pageOf(form, condition, query, window);
    const rows = await this.database.rows<Row>(sql, parameters);
    const [first] = rows;
    if (first !== undefined || window.offset === 0) return { total: first?.total ?? 0, rows };
    return { total: await this.total(totalOfPage(condition, query), condition.parameters), rows };
  }

  private async total(sql: string, parameters: readonly unknown[]): Promise<number> {
    return (await this.database.row<{ total: number }>(sql, parameters)).total;
  }
}

/** Whether `sandbox_status` filters the page that was read instead of the list. */
function filtersPage({ sandbox_status, accurate_totals }: OrgConversationsQuery): boolean {
  return sandbox_status !== null && !accurate_totals;
}

/** What a page says beside its items. */
function numbersOf(query: OrgConversationsQuery, total: number): Omit<OrgConversationPage, 'items'> {
  return {
    total_items: total,
    page: query.page,
    per_page: query.per_page,
    total_pages: Math.ceil(total / query.per_page),
    pagination_accurate: !filtersPage(query),
  };
}

function offsetOf({ page, per_page }: OrgConversationsQuery): number {
  return Math.min((page - 1) * per_page, Number.MAX_SAFE_INTEGER);
}
