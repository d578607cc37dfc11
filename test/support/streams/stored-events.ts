import { randomUUID } from 'node:crypto';
import { readEvent, type ReceivedEvent } from '../../../src/conversations/events/storage/received-event';
import { EventRepository } from '../../../src/conversations/events/storage/event.repository';
import type { TestApp } from '../service/app';

/** An event of an agent as its text is stored. */
export function agentEvent(fields: Record<string, unknown> = {}): ReceivedEvent {
  const text = JSON.stringify({
    id: randomUUID(),
    kind: 'PauseEvent',
    timestamp: '2026-01-02T03:04:05',
    source: 'user',
    ...fields,
  });
  const event = readEvent(text, new Date());
  if (event === null) throw new Error('The event cannot be read.');
  return event;
}

/** Stores events of a conversation in one transaction, as a call of its agent server does. */
export async function storeEvents(
  { app, db }: TestApp,
  conversationId: string,
  events: readonly ReceivedEvent[],
): Promise<void> {
  await db.transaction((transaction) =>
    app.get(EventRepository, { strict: false }).add(transaction, conversationId, events),
  );
}
