import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth';
import { clampLimit, MAX_PAGE_LIMIT, type Page, pageOf, parseUuid } from '../../common';
import { SandboxReader, type SandboxView } from '../../sandboxes';
import type {
  AppConversation,
  AppConversationFilter,
  AppConversationSearch,
  AppConversationUpdate,
} from './app-conversation.dto';
import { toAppConversation, toChanges } from './app-conversation.mapper';
import { ConversationAccess } from '../access/conversation-access';
import { ConversationDeletion } from './conversation-deletion';
import { ConversationRepository } from '../record/conversation.repository';
import type { ConversationRow } from '../record/conversation-row';
import {
  countStatement,
  fromPage,
  ownedCondition,
  pageIdOf,
  searchStatement,
} from './conversation-search.query';
import { TitleForwarding } from './title-forwarding';

/** Reads and changes conversation records (docs/contract.md#conversation-record). */
@Injectable()
export class AppConversationsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: ConversationRepository,
    private readonly access: ConversationAccess,
    private readonly sandboxes: SandboxReader,
    private readonly deletion: ConversationDeletion,
    private readonly titles: TitleForwarding,
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
    const statement = searchStatement(condition, search.sort_order, limit + 1);
    const rows = await statement.rows(this.database, condition.parameters);
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
    const condition = ownedCondition(caller.userId, orgId, filter);
    const [row] = await countStatement(condition).rows(this.database, condition.parameters);
    return Number(row?.count);
  }

  /** Writes what is present. @throws ConversationNotFoundError */
  async update(caller: Caller, id: string, update: AppConversationUpdate): Promise<AppConversation> {
    const conversation = await this.access.owned(caller, id);
    const changes = toChanges(update, conversation);
    if (Object.keys(changes).length > 0)
      await this.database.transaction(async (transaction) => {
        await this.conversations.update(transaction, conversation, changes);
        if (changes.title) await this.titles.later(transaction, id);
      });
    return this.get(caller, id);
  }

  /** Deletes a conversation with those that belong to it. @throws ConversationNotFoundError */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.access.owned(caller, id);
    await this.deletion.remove(id);
  }

  private async toRecords(caller: Caller, rows: readonly ConversationRow[]): Promise<AppConversation[]> {
    if (rows.length === 0) return [];
    const sandboxIds = rows.map((row) => row.sandboxId).filter((id) => id !== null);
    const [sandboxes, children] = await Promise.all([
      this.sandboxes.byIds(sandboxIds),
      this.conversations.childrenOf(rows.map((row) => row.id)),
    ]);
    return rows.map((row) =>
      toAppConversation(row, sandboxOf(row, sandboxes), children.get(row.id) ?? [], caller.userId),
    );
  }
}

function sandboxOf(row: ConversationRow, sandboxes: ReadonlyMap<string, SandboxView>): SandboxView | null {
  return row.sandboxId === null ? null : (sandboxes.get(row.sandboxId) ?? null);
}
