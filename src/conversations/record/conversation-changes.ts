import type { EntityManager } from 'typeorm';
import { type DomainEventOf, DomainEvents } from '../../domain-events';

type StatusChanged = DomainEventOf<'conversation.status_changed'>;

/** What an agent server may change of a record, as events compare it. */
interface Reported {
  readonly org_id: string;
  readonly start_state: StatusChanged['start_state'];
  readonly execution_status: string | null;
  readonly title: string | null;
  readonly llm_model: string | null;
  readonly agent_kind: string | null;
  readonly accumulated_cost: number;
  readonly prompt_tokens: string;
  readonly completion_tokens: string;
  readonly cache_read_tokens: string;
  readonly cache_write_tokens: string;
}

const FIELDS = [
  'title',
  'llm_model',
  'agent_kind',
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
] as const satisfies readonly (keyof Reported)[];

/** The organization of a conversation; null for one that is unknown. */
export async function orgOfConversation(
  transaction: EntityManager,
  conversationId: string,
): Promise<string | null> {
  const [row] = await transaction.query<{ org_id: string }[]>(
    'SELECT org_id FROM conversations WHERE id = $1',
    [conversationId],
  );
  return row?.org_id ?? null;
}

/**
 * Runs a change of one conversation's record and publishes what it changed, `conversation.status_changed` and
 * `conversation.updated`. The record is read before and after only when somebody listens.
 */
export async function publishChanges(
  events: DomainEvents,
  transaction: EntityManager,
  conversationId: string,
  change: () => Promise<void>,
): Promise<void> {
  const isHeard = events.listensTo('conversation.status_changed') || events.listensTo('conversation.updated');
  if (!isHeard) return change();
  const before = await read(transaction, conversationId);
  await change();
  const after = await read(transaction, conversationId);
  if (before === undefined || after === undefined) return;
  const { org_id, start_state, execution_status } = after;
  const conversation = { org_id, conversation_id: conversationId };
  if (start_state !== before.start_state || execution_status !== before.execution_status)
    await events.publish(transaction, {
      kind: 'conversation.status_changed',
      ...conversation,
      start_state,
      execution_status,
    });
  const fields = FIELDS.filter((field) => after[field] !== before[field]);
  if (fields.length > 0)
    await events.publish(transaction, { kind: 'conversation.updated', ...conversation, fields });
}

async function read(transaction: EntityManager, conversationId: string): Promise<Reported | undefined> {
  const [row] = await transaction.query<Reported[]>(
    `SELECT org_id, start_state, execution_status, ${FIELDS.join(', ')} FROM conversations
      WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [conversationId],
  );
  return row;
}
