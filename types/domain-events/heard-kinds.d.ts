import type { DomainEvent, DomainEventKind, DomainEventOf } from './domain-event';
/** An `event.received` of an agent's event of some kinds. */
export type AgentEventOf<Kind extends string> = DomainEventOf<'event.received'> & {
    readonly event_kind: Kind;
};
/** Which kinds of domain events a listener is called with, and of `event.received` which kinds of the agents' events. */
export declare class HeardKinds {
    readonly kinds: readonly DomainEventKind[];
    private readonly eventKinds;
    /**
     * @param eventKinds null for all
     * @throws MalformedEventKindsError when they are no kinds, or the listener hears more than `event.received`
     */
    constructor(kinds: readonly DomainEventKind[], eventKinds: readonly string[] | null);
    /** Whether the listener is called with an event. */
    include(event: DomainEvent): boolean;
    /** Whether a listener of `event.received` is called with an agent's event of a kind. */
    includeAgents(eventKind: string): boolean;
}
