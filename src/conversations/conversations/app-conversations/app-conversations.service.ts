import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Asker, Caller, UserActor } from '../../../kernel/auth';
import { clampLimit, MAX_PAGE_LIMIT, type Page, parseUuid } from '../../../kernel/common';
import { Destinations } from '../../../agents/skills';
import {
  assertResponseFits,
  fittingPage,
  type JsonResponse,
  LIST_FRAME,
  pageFrame,
} from '../../../kernel/http';
import type { AppConversation, AppConversationFilter, AppConversationSearch } from './app-conversation.dto';
import type { AppConversationUpdate, StartOnlyFields } from './conversation-update.dto';
import { toChanges } from './app-conversation.mapper';
import { type RecordItem, RecordResponses } from './record-responses';
import { ConversationAccess } from '../access/conversation-access';
import { ConversationDeletion, type Deletion } from './conversation-deletion';
import { ConversationRepository } from '../record/conversation.repository';
import {
  countStatement,
  fromPage,
  LISTED_BY_ID,
  ownedCondition,
  pageIdOf,
  searchStatement,
} from './conversation-search.query';
import { assertRepository } from '../record/repository-check';
import { TitleForwarding } from './title-forwarding';
import { OnlyAtStartError, SharingNotSupportedError } from '../record/conversations.errors';
import type { ConversationRow } from '../record/conversation-row';

const START_ONLY = [
  'conversation_id',
  'sandbox_id',
  'initial_message',
  'system_message_suffix',
  'processors',
  'llm_model',
  'agent_profile_id',
  'dependency_repos',
  'suggested_task',
  'trigger',
  'parent_conversation_id',
  'agent_type',
  'plugins',
  'secrets',
] as const satisfies readonly (keyof StartOnlyFields)[];

/**
 * Refuses to drop what an update cannot do; what the record has already passes, so that one that was read can be sent
 * back (docs/contract.md#conversation-record).
 * @throws SharingNotSupportedError, OnlyAtStartError
 */
function assertChangeable(update: AppConversationUpdate, row: ConversationRow): void {
  if (update.public) throw new SharingNotSupportedError();
  const current: Partial<Record<string, unknown>> = {
    conversation_id: row.id,
    sandbox_id: row.sandboxId,
    llm_model: row.llmModel,
    agent_profile_id: row.launchedProfileId,
    trigger: row.trigger,
    parent_conversation_id: row.parentConversationId,
  };
  const refused = START_ONLY.find((field) => {
    const wanted = update[field];
    return wanted !== undefined && wanted !== (current[field] ?? null) && !isEmpty(wanted);
  });
  if (refused !== undefined) throw new OnlyAtStartError(refused);
}

/** Clients that are generated for some languages send empty lists and objects for what nobody has set. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The entry for an id without a conversation. */
const NO_RECORD = { row: null, bytes: 0, text: 'null' } as const;

/** Reads and changes conversation records (docs/contract.md#conversation-record). */
@Injectable()
export class AppConversationsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: ConversationRepository,
    private readonly access: ConversationAccess,
    private readonly responses: RecordResponses,
    private readonly deletion: ConversationDeletion,
    private readonly titles: TitleForwarding,
    private readonly destinations: Destinations,
  ) {}

  /** @throws ConversationNotFoundError */
  async get(caller: Asker, id: string): Promise<AppConversation> {
    const row = await this.access.readable(caller, id);
    return this.responses.one(caller, row);
  }

  /**
   * The conversations of the ids, in their order, as a JSON array; null for what the caller may not read.
   * @throws ResponseTooLargeError, TooManyLargeResponsesError
   */
  async getMany(caller: Caller, ids: readonly string[]): Promise<JsonResponse> {
    const wanted = ids.slice(0, MAX_PAGE_LIMIT).map(parseUuid);
    const found = await LISTED_BY_ID.rows(this.database, [wanted.filter((id) => id !== null)]);
    const records = await this.responses.items(caller, await this.access.readableOf(caller, found));
    const byId = new Map(records.map((item) => [item.row.id, item]));
    const items = wanted.map((id) => (id === null ? NO_RECORD : (byId.get(id) ?? NO_RECORD)));
    assertResponseFits(items);
    return this.responses.respond(caller.userId, items, LIST_FRAME);
  }

  /** One page of the caller's own conversations in an organization. @throws TooManyLargeResponsesError */
  async search(caller: Caller, orgId: string, search: AppConversationSearch): Promise<JsonResponse> {
    const { items, nextId } = await this.found(caller, orgId, search);
    return this.responses.respond(caller.userId, items, pageFrame(nextId));
  }

  /** As {@link search}, as records. */
  async searchRecords(user: UserActor, search: AppConversationSearch): Promise<Page<AppConversation>> {
    const { items, nextId } = await this.found(user, user.orgId, search);
    return { items: await this.responses.records(items), next_page_id: nextId };
  }

  private async found(
    caller: Asker & Pick<Caller, 'userId'>,
    orgId: string,
    search: AppConversationSearch,
  ): Promise<{ readonly items: readonly RecordItem[]; readonly nextId: string | null }> {
    const limit = clampLimit(search.limit);
    const condition = fromPage(
      ownedCondition(caller.userId, orgId, search),
      search.sort_order,
      search.page_id,
    );
    const statement = searchStatement(condition, search.sort_order, limit + 1);
    const rows = await statement.rows(this.database, condition.parameters);
    const { items, next } = fittingPage(await this.responses.items(caller, rows), limit);
    return { items, nextId: next === undefined ? null : pageIdOf(next.row, search.sort_order) };
  }

  /** How many of the caller's own conversations in an organization a filter finds. */
  async count(caller: Caller, orgId: string, filter: AppConversationFilter): Promise<number> {
    const condition = ownedCondition(caller.userId, orgId, filter);
    const [row] = await countStatement(condition).rows(this.database, condition.parameters);
    return Number(row?.count);
  }

  /** One to do something with: see {@link ConversationAccess.owned}. @throws ConversationNotFoundError */
  owned(caller: Asker, id: string): Promise<ConversationRow> {
    return this.access.owned(caller, id);
  }

  /**
   * Writes the fields that are present.
   * @throws ConversationNotFoundError, SharingNotSupportedError, OnlyAtStartError, RepositoryAddressInvalidError
   */
  async update(caller: Asker, id: string, update: AppConversationUpdate): Promise<AppConversation> {
    const conversation = await this.access.owned(caller, id);
    assertChangeable(update, conversation);
    const { selected_repository: repository, git_provider: provider = conversation.gitProvider } = update;
    if (repository && repository !== conversation.selectedRepository)
      assertRepository(repository, { provider, connections: [] }, this.destinations);
    const changes = toChanges(update, conversation);
    if (Object.keys(changes).length > 0)
      await this.database.transaction(async (transaction) => {
        await this.conversations.update(transaction, id, changes);
        if (changes.title) await this.titles.later(transaction, id);
      });
    return this.get(caller, id);
  }

  /**
   * Deletes a conversation with those that belong to it.
   * @param whenLifted has it deleted later where a legal hold is in the way
   * @throws ConversationNotFoundError, LegalHoldError
   */
  async delete(caller: Asker, id: string, whenLifted = false): Promise<Deletion> {
    await this.access.owned(caller, id);
    return this.deletion.remove(id, whenLifted);
  }
}
