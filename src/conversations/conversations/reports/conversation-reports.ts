import type { EntityManager } from 'typeorm';

/** Tokens and cost of a conversation so far. */
export interface ReportedMetrics {
  readonly cost: number;
  readonly prompt: number;
  readonly completion: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
  /** Tokens that the agent's model can be given at once; 0 where nothing was said of it. */
  readonly contextWindow: number;
  /** Tokens of the last call of the agent's model; 0 where nothing was said of it. */
  readonly perTurn: number;
}

/** What an agent server reports of a conversation's record. Absent means: it said nothing of it. */
export interface ReportedState {
  readonly executionStatus?: string;
  readonly title?: string;
  readonly llmModel?: string;
  readonly agentKind?: string;
  readonly metrics?: ReportedMetrics;
  /** Whether it came with events that were not stored yet. */
  readonly hasNewEvents?: boolean;
}

/** Whose a conversation is that an agent server reports on. */
export interface ReportedConversation {
  readonly sandboxId: string | null;
  readonly orgId: string;
  /** The driver of its sandbox; null where that is unknown. */
  readonly driver: string | null;
  /** Deleted, or its start failed: whatever the agent server has under the id is another. */
  readonly ended: boolean;
}

/** A conversation that was started at the agent server of a sandbox, not by the service. */
export interface ForeignStart {
  readonly conversationId: string;
  readonly sandboxId: string;
  readonly orgId: string;
  readonly createdByUserId: string;
}

/** The records of conversations for the module that receives the reports of agent servers. */
export abstract class ConversationReports {
  /** @returns undefined for an id that no conversation has, or had */
  abstract find(
    transaction: EntityManager,
    conversationId: string,
  ): Promise<ReportedConversation | undefined>;

  /** Makes, and publishes, a record of a conversation that the service did not start; does nothing when it has one. */
  abstract adopt(transaction: EntityManager, start: ForeignStart): Promise<void>;

  /**
   * Writes a report into the record (docs/contract.md#inbound-webhooks). Metrics never go backwards; what was not
   * reported stays. A title counts unless the agent server reported it last, or was given it: else its old one, or a
   * shortened one, would undo what a user wrote here.
   */
  abstract apply(transaction: EntityManager, conversationId: string, state: ReportedState): Promise<void>;

  /** The organization of a conversation, deleted or not; undefined for an unknown id. */
  abstract orgOf(transaction: EntityManager, conversationId: string): Promise<string | undefined>;

  /** The ids of the conversations in a sandbox that its agent server knows. */
  abstract idsReadyIn(transaction: EntityManager, sandboxId: string): Promise<string[]>;

  /** The sandbox of a conversation that is not deleted; null without one. */
  abstract sandboxOf(conversationId: string): Promise<string | null>;
}
