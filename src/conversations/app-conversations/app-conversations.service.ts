import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth';
import { clampLimit, MAX_PAGE_LIMIT, type Page, pageOf, parseUuid, storableJson } from '../../common';
import { DomainEvents } from '../../domain-events';
import { SandboxReader, type SandboxView } from '../../sandboxes';
import type {
  AppConversation,
  AppConversationFilter,
  AppConversationSearch,
  AppConversationUpdate,
} from './app-conversation.dto';
import { toAppConversation } from './app-conversation.mapper';
import { ConversationAccess } from '../record/conversation-access';
import { ConversationDeletion } from './conversation-deletion';
import type { ConversationRow } from '../record/conversation-rows';
import {
  FOUND_COLUMNS,
  type FoundRow,
  fromPage,
  orderOf,
  ownedCondition,
  pageIdOf,
} from './conversation-search';
import { databaseInteger } from '../record/database-integer';
import { TitleForwarding } from './title-forwarding';

/** Reads and changes conversation records (docs/contract.md#conversation-record). */
@Injectable()
export class AppConversationsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly access: ConversationAccess,
    private readonly sandboxes: SandboxReader,
    private readonly removal: ConversationDeletion,
    private readonly titles: TitleForwarding,
    private readonly events: DomainEvents,
  ) {}

  /** @throws ConversationNotFoundError */
  async get(caller: Caller, id: string): Promise<AppConversation> {
    const row = await this.access.readable(caller, id);
    const [record] = await this.toRecords(caller, [row]);
    return record as AppConversation;
  }

  /** The conversations of the ids, in their order; null for what the caller may not read. */
  async getMany(caller: Caller, ids: readonly string[]): Promise<(AppConversation | null)[]> {
    const wanted = ids.slice(0, MAX_PAGE_LIMIT).map(parseUuid);
    const rows = await this.access.readableOf(
      caller,
      wanted.filter((id) => id !== null),
    );
    const records = new Map((await this.toRecords(caller, rows)).map((record) => [record.id, record]));
    return wanted.map((id) => (id === null ? null : (records.get(id) ?? null)));
  }

  /** One page of the caller's own conversations in an organization. */
  async search(caller: Caller, orgId: string, search: AppConversationSearch): Promise<Page<AppConversation>> {
    const limit = clampLimit(search.limit);
    const condition = fromPage(
      ownedCondition(caller.userId, orgId, search),
      search.sort_order,
      search.page_id,
    );
    const rows = await this.database.query<FoundRow[]>(
      `SELECT ${FOUND_COLUMNS} FROM conversations c WHERE ${condition.sql}
        ORDER BY ${orderOf(search.sort_order)} LIMIT ${limit + 1}`,
      condition.parameters,
    );
    const records = await this.toRecords(caller, rows.slice(0, limit));
    const page = pageOf(
      rows,
      limit,
      (row) => row.id,
      (row) => pageIdOf(row, search.sort_order),
    );
    return { items: records, next_page_id: page.next_page_id };
  }

  /** How many of the caller's own conversations in an organization a filter finds. */
  async count(caller: Caller, orgId: string, filter: AppConversationFilter): Promise<number> {
    const { sql, parameters } = ownedCondition(caller.userId, orgId, filter);
    const [row] = await this.database.query<[{ count: string }]>(
      `SELECT count(*) FROM conversations c WHERE ${sql}`,
      parameters,
    );
    return Number(row.count);
  }

  /** Writes what is present. @throws ConversationNotFoundError */
  async update(caller: Caller, id: string, changes: AppConversationUpdate): Promise<AppConversation> {
    await this.access.owned(caller, id);
    const { pr_number, tags, ...texts } = changes;
    const values: Record<string, unknown> = { ...texts };
    if (pr_number !== undefined) values.pr_number = pr_number.map(databaseInteger);
    if (tags !== undefined) values.tags = JSON.stringify(storableJson(tags));
    const entries = Object.entries(values).filter(([, value]) => value !== undefined);
    if (entries.length > 0)
      await this.database.transaction(async (transaction) => {
        const [changed] = await transaction.query<[{ org_id: string }[], number]>(
          `UPDATE conversations SET ${entries.map(([column], index) => `${column} = $${index + 2}`).join(', ')},
                  updated_at = now()
            WHERE id = $1 AND deleted_at IS NULL RETURNING org_id`,
          [id, ...entries.map(([, value]) => storableJson(value))],
        );
        if (changed[0] !== undefined)
          await this.events.publish(transaction, {
            kind: 'conversation.updated',
            org_id: changed[0].org_id,
            conversation_id: id,
            fields: entries.map(([column]) => column),
          });
        if (changes.title) await this.titles.later(transaction, id);
      });
    return this.get(caller, id);
  }

  /** Deletes a conversation with those that belong to it. @throws ConversationNotFoundError */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.access.owned(caller, id);
    await this.removal.remove(id);
  }

  private async toRecords(caller: Caller, rows: readonly ConversationRow[]): Promise<AppConversation[]> {
    if (rows.length === 0) return [];
    const sandboxIds = rows.map((row) => row.sandbox_id).filter((id) => id !== null);
    const [sandboxes, children] = await Promise.all([
      this.sandboxes.byIds(sandboxIds),
      this.childrenOf(rows.map((row) => row.id)),
    ]);
    return rows.map((row) =>
      toAppConversation(row, sandboxOf(row, sandboxes), children.get(row.id) ?? [], caller.userId),
    );
  }

  private async childrenOf(ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    const rows = await this.database.query<{ parent: string; children: string[] }[]>(
      `SELECT parent_conversation_id AS parent, array_agg(id::text ORDER BY created_at, id) AS children
         FROM conversations
        WHERE parent_conversation_id = ANY ($1::uuid[]) AND deleted_at IS NULL
        GROUP BY parent_conversation_id`,
      [ids],
    );
    return new Map(rows.map(({ parent, children }) => [parent, children]));
  }
}

function sandboxOf(row: ConversationRow, sandboxes: ReadonlyMap<string, SandboxView>): SandboxView | null {
  return row.sandbox_id === null ? null : (sandboxes.get(row.sandbox_id) ?? null);
}
