import { isDeepStrictEqual } from 'node:util';
import type { EntityManager, EntityMetadata } from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';
import { LOCK_REPORTED_COLUMNS, REPORTED_FIELDS, type ReportedColumns } from './conversation.query';

/** A change of one conversation's record. */
export interface RecordChange {
  readonly conversationId: string;
  /** Whether its start state or execution status may be another one afterwards. */
  readonly mayChangeStatus: boolean;
  readonly run: () => Promise<void>;
}

/**
 * Runs a change of one conversation's record and publishes what it changed, `conversation.status_changed` and
 * `conversation.updated`. The record is read before and after only when somebody listens to what may change.
 */
export async function publishChanges(
  events: DomainEvents,
  transaction: EntityManager,
  { conversationId, mayChangeStatus, run }: RecordChange,
): Promise<void> {
  const hasListeners =
    (mayChangeStatus && events.listensTo('conversation.status_changed')) ||
    events.listensTo('conversation.updated');
  if (!hasListeners) return run();
  const before = await read(transaction, conversationId);
  await run();
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
  const fields = REPORTED_FIELDS.filter((field) => after[field] !== before[field]);
  if (fields.length > 0)
    await events.publish(transaction, { kind: 'conversation.updated', ...conversation, fields });
}

/** The names of those columns, of the given properties, that have another value after a change. */
export function changedColumns(
  metadata: EntityMetadata,
  properties: readonly string[],
  before: object,
  after: object,
): string[] {
  return properties
    .flatMap((property) => metadata.findColumnWithPropertyName(property) ?? [])
    .filter((column) => !isDeepStrictEqual(column.getEntityValue(before), column.getEntityValue(after)))
    .map(({ databaseName }) => databaseName);
}

async function read(
  transaction: EntityManager,
  conversationId: string,
): Promise<ReportedColumns | undefined> {
  const [row] = await LOCK_REPORTED_COLUMNS.rows(transaction, [conversationId]);
  return row;
}
