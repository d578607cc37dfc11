import type { TriggerKind } from '../../../kernel/domain-events';

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

/** What an agent server reports of a conversation's record. Absent means not reported. */
export interface ReportedState {
  readonly executionStatus?: string;
  readonly title?: string;
  readonly llmModel?: string;
  readonly agentKind?: string;
  readonly metrics?: ReportedMetrics;
  /** Whether it came with events that were not stored yet. */
  readonly hasNewEvents?: boolean;
}

/** The owner of a conversation that an agent server reports on. */
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

/** A report as the parameters of `apply_report` between the conversation and whether it has new events. */
export function reportValues({
  executionStatus,
  title,
  llmModel,
  agentKind,
  metrics,
}: ReportedState): readonly unknown[] {
  return [
    executionStatus,
    title,
    llmModel,
    agentKind,
    metrics?.cost,
    metrics?.prompt,
    metrics?.completion,
    metrics?.cacheRead,
    metrics?.cacheWrite,
    metrics?.reasoning,
    metrics?.contextWindow,
    metrics?.perTurn,
  ];
}

/** What a report may be logged as. */
export function reportKinds({ executionStatus }: ReportedState): readonly TriggerKind[] {
  return executionStatus === undefined
    ? ['conversation.updated']
    : ['conversation.updated', 'conversation.status_changed'];
}
