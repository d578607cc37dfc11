import type { DomainEventKind, DomainEventOf } from './kinds/event-kinds';
import { type AnyDomainEvent, isOfService } from './domain-event-kinds';
import { MalformedEventKindsError } from './domain-events.errors';

const AGENT_EVENT = 'event.received' satisfies DomainEventKind;
const KIND = /^[A-Za-z][A-Za-z0-9_]*$/;

/** An `event.received` of an agent's event of some kinds. */
export type AgentEventOf<Kind extends string> = DomainEventOf<'event.received'> & {
  readonly event_kind: Kind;
};

/** Which kinds of domain events a listener is called with, and of `event.received` which kinds of the agents' events. */
export class ListenedKinds {
  /**
   * @param eventKinds null for all
   * @throws MalformedEventKindsError when they are no kinds, or the listener has more than `event.received`
   */
  constructor(
    readonly kinds: readonly string[],
    private readonly eventKinds: readonly string[] | null,
  ) {
    if (eventKinds === null) return;
    const isFine = eventKinds.length > 0 && eventKinds.every((kind) => KIND.test(kind));
    if (!isFine || kinds.some((kind) => kind !== AGENT_EVENT)) throw new MalformedEventKindsError(eventKinds);
  }

  /** Whether the listener is called with an event. */
  include(event: AnyDomainEvent): boolean {
    if (!this.kinds.includes(event.kind)) return false;
    return event.kind !== AGENT_EVENT || !isOfService(event) || this.includeAgents(event.event_kind);
  }

  /** Whether a listener of `event.received` is called with an agent's event of a kind. */
  includeAgents(eventKind: string): boolean {
    return this.eventKinds === null || this.eventKinds.includes(eventKind);
  }
}
