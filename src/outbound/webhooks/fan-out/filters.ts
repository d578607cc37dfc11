import { type AnyDomainEvent, AUDIT_KIND, isOfService } from '../../../kernel/domain-events';

/** Which events an endpoint subscribes to (docs/webhooks.md#filters). */
export interface EventFilter {
  readonly kinds: readonly string[];
  /** Null for all. */
  readonly conversation_ids: readonly string[] | null;
  /** Those that the conversation must all have; null for all. */
  readonly tags: Readonly<Record<string, string>> | null;
}

/** The tags of the conversation of an event; undefined for one that its organization has not. */
export type TagsOf = (event: AnyDomainEvent) => Readonly<Record<string, unknown>> | undefined;

/** The conversation that an event is about; null for none. */
export function conversationOf(event: AnyDomainEvent): string | null {
  return 'conversation_id' in event ? (event.conversation_id ?? null) : null;
}

/** The agent's kind of an event; null for events of the service. */
export function agentKindOf(event: AnyDomainEvent): string | null {
  return event.kind === 'event.received' && isOfService(event) ? event.event_kind : null;
}

/** Whether an endpoint subscribes to an event, its tags left aside. */
export function concerns({ kinds, conversation_ids, tags }: EventFilter, event: AnyDomainEvent): boolean {
  const conversationId = conversationOf(event);
  if ((conversation_ids !== null || tags !== null) && conversationId === null) return false;
  if (conversation_ids !== null && !conversation_ids.includes(conversationId ?? '')) return false;
  return kinds.some((kind) => matches(kind, event));
}

/** Whether the conversation of an event has the tags that an endpoint asks for. */
export function hasTags({ tags }: EventFilter, event: AnyDomainEvent, tagsOf: TagsOf): boolean {
  if (tags === null) return true;
  const own = tagsOf(event);
  return own !== undefined && Object.entries(tags).every(([key, value]) => own[key] === value);
}

function matches(kind: string, event: AnyDomainEvent): boolean {
  if (kind === '*') return event.kind !== AUDIT_KIND;
  if (kind === event.kind || kind === agentKindOf(event)) return true;
  return kind.endsWith('.*') && event.kind.startsWith(kind.slice(0, -1));
}
