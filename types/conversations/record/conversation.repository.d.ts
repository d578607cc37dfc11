import { type EntityManager, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import { type FamilyMember } from './conversation.query';
import type { ConversationRow } from './conversation-row';
import { Conversation } from './conversation.entity';
/** What is known of every new record; the database has defaults for the rest. */
interface RequiredColumns extends Pick<Conversation, 'id' | 'orgId' | 'createdByUserId' | 'parentConversationId'> {
    readonly sandboxId: string;
}
/** Columns of a new record. */
export type NewConversation = RequiredColumns & Omit<ConversationChanges, keyof RequiredColumns>;
/** What a conversation was launched with, as its record shows it. */
export interface LaunchedWith {
    /** An agent profile; null without one. */
    readonly profile: {
        readonly id: string;
        readonly revision: number;
    } | null;
    /** The limit of its cost that the agent server was given, in US dollars; null without one. */
    readonly maxBudgetPerTask: number | null;
}
/** Columns to write. */
export type ConversationChanges = QueryDeepPartialEntity<Conversation>;
/**
 * Reads and writes the records of conversations, and publishes what it writes; deleted ones are found by
 * {@link isKnown} and {@link findDeleted} only.
 */
export declare class ConversationRepository {
    private readonly conversations;
    private readonly events;
    constructor(conversations: Repository<Conversation>, events: DomainEvents);
    /** @returns null for an unknown or deleted conversation */
    find(id: string): Promise<ConversationRow | null>;
    /** Those of the ids that are there, in no particular order. */
    findMany(ids: readonly string[]): Promise<ConversationRow[]>;
    /** Which of the ids are there. */
    present(ids: readonly string[]): Promise<ReadonlySet<string>>;
    /** A conversation whose agent server knows it. @returns null for any other */
    findReady(id: string): Promise<ConversationRow | null>;
    /** Whether a conversation has this id, or a deleted one had it. */
    isKnown(id: string): Promise<boolean>;
    /** @returns null for a conversation that is unknown, or was not deleted */
    findDeleted(id: string): Promise<ConversationRow | null>;
    /**
     * Whether a conversation belongs to a user.
     * @param transaction keeps it from being deleted until the end of this transaction; null only looks
     */
    isOwned(owned: Pick<Conversation, 'id' | 'orgId' | 'createdByUserId'>, transaction: EntityManager | null): Promise<boolean>;
    /** The ids of those in a sandbox that its agent server knows. */
    idsReadyIn(sandboxId: string, manager?: EntityManager): Promise<string[]>;
    /** The ids of those in a sandbox whose agents were last reported to run. */
    idsAtWorkIn(sandboxId: string): Promise<string[]>;
    /** The ids of those that belong to each conversation, oldest first. */
    childrenOf(ids: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
    /**
     * Stores a new record; what is not given has the defaults of the database.
     * @throws a unique violation of `conversations_pkey` when the id is taken
     */
    insert(transaction: EntityManager, conversation: NewConversation): Promise<void>;
    /** Writes some columns of a conversation that is not deleted. It is read before and after only when somebody listens. */
    update(transaction: EntityManager, { id, orgId }: Pick<Conversation, 'id' | 'orgId'>, changes: ConversationChanges): Promise<void>;
    /** Marks the conversation ready: its agent server has created it. */
    markReady(transaction: EntityManager, id: string, { profile, maxBudgetPerTask }: LaunchedWith): Promise<void>;
    /** Marks a failed start; titles it, since no agent server will. */
    markFailed(transaction: EntityManager, id: string): Promise<void>;
    /** The title that its agent server is about to be given; to the record it is no change. */
    recordForwardedTitle(id: string, forwardedTitle: string): Promise<void>;
    /** A conversation and all below it. */
    familyOf(transaction: EntityManager, id: string): Promise<FamilyMember[]>;
    /** Those in a sandbox. */
    membersIn(transaction: EntityManager, sandboxId: string): Promise<FamilyMember[]>;
    /** Locks these rows against writes and new sub-conversations until the transaction ends. */
    lock(transaction: EntityManager, ids: readonly string[]): Promise<void>;
    markDeleted(transaction: EntityManager, family: readonly FamilyMember[]): Promise<void>;
    /** Whether a sandbox was made for conversations that are all deleted. */
    isUnused(transaction: EntityManager, sandboxId: string): Promise<boolean>;
    private change;
}
export {};
