import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  Any,
  type EntityManager,
  type FindOneOptions,
  type FindOptionsWhere,
  IsNull,
  Not,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';
import { CHILDREN, FAMILY, type FamilyMember, MEMBERS_OF_SANDBOX, SANDBOX_USE } from './conversation.query';
import type { ConversationRow } from './conversation-row';
import { Conversation } from './conversation.entity';
import { MAX_AGENT_SERVER_TITLE } from './text-limits';

/** The columns of every new record; the rest have defaults in the database. */
interface RequiredColumns extends Pick<
  Conversation,
  'id' | 'orgId' | 'createdByUserId' | 'parentConversationId'
> {
  readonly sandboxId: string;
}

/** Columns of a new record. */
type NewConversation = RequiredColumns & Omit<ConversationChanges, keyof RequiredColumns>;

/** The launch parameters that a record shows. */
export interface LaunchedWith {
  /** An agent profile; null without one. */
  readonly profile: { readonly id: string; readonly revision: number } | null;
  /** The limit of its cost that the agent server was given, in US dollars; null without one. */
  readonly maxBudgetPerTask: number | null;
}

/** Columns to write. */
export type ConversationChanges = QueryDeepPartialEntity<Conversation>;

/**
 * Reads and writes the records of conversations, and publishes what it writes; deleted ones are found by
 * {@link isKnown} and {@link findDeleted} only.
 */
@Injectable()
export class ConversationRepository {
  constructor(
    @InjectRepository(Conversation) private readonly conversations: Repository<Conversation>,
    private readonly events: DomainEvents,
  ) {}

  /** @returns null for an unknown or deleted conversation */
  find(id: string, transaction?: EntityManager): Promise<ConversationRow | null> {
    const repository = transaction?.getRepository(Conversation) ?? this.conversations;
    return repository.findOneBy({ id, deletedAt: IsNull() });
  }

  /** The conversations with these ids that exist, in no particular order. */
  findMany(ids: readonly string[]): Promise<ConversationRow[]> {
    return this.conversations.findBy({ id: Any(ids), deletedAt: IsNull() });
  }

  /** Which of the ids are there. */
  async present(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const where = { id: Any(ids), deletedAt: IsNull() };
    const rows = await this.conversations.find({ select: { id: true }, where });
    return new Set(rows.map(({ id }) => id));
  }

  /** A conversation whose agent server knows it. @returns null for any other */
  findReady(id: string): Promise<ConversationRow | null> {
    return this.conversations.findOneBy({ id, startState: 'ready', deletedAt: IsNull() });
  }

  /** Whether a conversation has this id, or a deleted one had it. */
  isKnown(id: string): Promise<boolean> {
    return this.conversations.existsBy({ id });
  }

  /** @returns null for a conversation that is unknown, or was not deleted */
  findDeleted(id: string): Promise<ConversationRow | null> {
    return this.conversations.findOneBy({ id, deletedAt: Not(IsNull()) });
  }

  /**
   * Whether a conversation belongs to a user.
   * @param transaction keeps it from being deleted until the end of this transaction; null only looks
   */
  async isOwned(
    owned: Pick<Conversation, 'id' | 'orgId' | 'createdByUserId'>,
    transaction: EntityManager | null,
  ): Promise<boolean> {
    const query: FindOneOptions<Conversation> = {
      select: { id: true },
      where: { ...owned, deletedAt: IsNull() },
    };
    const found = await (transaction === null
      ? this.conversations.findOne(query)
      : transaction.findOne(Conversation, { ...query, lock: { mode: 'pessimistic_read' } }));
    return found !== null;
  }

  /** The ids of those in a sandbox that its agent server knows. */
  async idsReadyIn(sandboxId: string, manager?: EntityManager): Promise<string[]> {
    const where: FindOptionsWhere<Conversation> = { sandboxId, startState: 'ready', deletedAt: IsNull() };
    const repository = manager?.getRepository(Conversation) ?? this.conversations;
    const rows = await repository.find({ select: { id: true }, where });
    return rows.map(({ id }) => id);
  }

  /** The ids of those in a sandbox whose agents were last reported to run. */
  async idsAtWorkIn(sandboxId: string): Promise<string[]> {
    const rows = await this.conversations.find({
      select: { id: true },
      where: { sandboxId, startState: 'ready', executionStatus: 'running', deletedAt: IsNull() },
    });
    return rows.map(({ id }) => id);
  }

  /** The ids of those that belong to each conversation, oldest first. */
  async childrenOf(ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    const rows = await CHILDREN.rows(this.conversations.manager, [ids]);
    return new Map(rows.map(({ parent, children }) => [parent, children]));
  }

  /**
   * Stores a new record; missing columns get the defaults of the database.
   * @throws a unique violation of `conversations_pkey` when the id is taken
   */
  async insert(transaction: EntityManager, conversation: NewConversation): Promise<void> {
    await transaction.insert(Conversation, conversation);
    await this.events.publish(transaction, {
      kind: 'conversation.created',
      org_id: conversation.orgId,
      conversation_id: conversation.id,
      created_by_user_id: conversation.createdByUserId,
      parent_conversation_id: conversation.parentConversationId,
      sandbox_id: conversation.sandboxId,
    });
  }

  /** Writes some columns of a conversation that is not deleted. */
  async update(transaction: EntityManager, id: string, changes: ConversationChanges): Promise<void> {
    await transaction.update(Conversation, { id, deletedAt: IsNull() }, changes);
    await this.events.publishLogged(transaction, 'conversation.updated');
  }

  /** Marks the conversation ready: its agent server has created it. */
  async markReady(
    transaction: EntityManager,
    id: string,
    { profile, maxBudgetPerTask }: LaunchedWith,
  ): Promise<void> {
    await this.change(transaction, id, {
      startState: 'ready',
      executionStatus: () => `coalesce(execution_status, 'idle')`,
      maxBudgetPerTask,
      launchedProfileId: profile?.id ?? null,
      launchedProfileRevision: profile?.revision ?? null,
    });
  }

  /** Marks a failed start, and sets a title, since no agent server will. */
  async markFailed(transaction: EntityManager, id: string): Promise<void> {
    const title = (): string =>
      `coalesce(title, left('Failed start' || coalesce(' of ' || selected_repository, ''), ${MAX_AGENT_SERVER_TITLE}))`;
    await this.change(transaction, id, { startState: 'failed', title });
  }

  /** The title that its agent server is about to be given; to the record it is no change. */
  async recordForwardedTitle(id: string, forwardedTitle: string): Promise<void> {
    await this.conversations.update({ id }, { forwardedTitle, updatedAt: () => 'updated_at' });
  }

  /** A conversation and all below it. */
  familyOf(transaction: EntityManager, id: string): Promise<FamilyMember[]> {
    return FAMILY.rows(transaction, [id]);
  }

  /** The conversations in a sandbox. */
  membersIn(transaction: EntityManager, sandboxId: string): Promise<FamilyMember[]> {
    return MEMBERS_OF_SANDBOX.rows(transaction, [sandboxId]);
  }

  /** Locks these rows against writes and new sub-conversations until the transaction ends. */
  async lock(transaction: EntityManager, ids: readonly string[]): Promise<void> {
    await transaction.find(Conversation, {
      select: { id: true },
      where: { id: Any(ids) },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
  }

  async markDeleted(transaction: EntityManager, family: readonly FamilyMember[]): Promise<void> {
    const ids = family.map(({ id }) => id);
    await transaction.update(Conversation, { id: Any(ids) }, { deletedAt: () => 'now()' });
    await this.events.publish(
      transaction,
      ...family.map(({ id, orgId }) => ({
        kind: 'conversation.deleted' as const,
        org_id: orgId,
        conversation_id: id,
      })),
    );
  }

  /** Whether a sandbox was made for conversations that are all deleted, or did not start. */
  async isUnused(transaction: EntityManager, sandboxId: string): Promise<boolean> {
    const [use] = await SANDBOX_USE.rows(transaction, [sandboxId]);
    return use?.madeForOne === true && use.inUse !== true;
  }

  private async change(transaction: EntityManager, id: string, changes: ConversationChanges): Promise<void> {
    await transaction.update(Conversation, { id }, changes);
    await this.events.publishLogged(transaction, 'conversation.status_changed', 'conversation.updated');
  }
}
