import { type DomainEvent, domainEventSchema } from './domain-event';

/** What can happen, by its name. */
export type DomainEventKind = DomainEvent['kind'];

const LOGGED_BY_TRIGGERS = [
  'conversation.updated',
  'conversation.status_changed',
  'message.queued',
  'message.delivered',
  'message.failed',
  'event.received',
] as const satisfies readonly DomainEventKind[];

/** A kind that triggers of the database log, since single statements make its changes. */
export type TriggerKind = (typeof LOGGED_BY_TRIGGERS)[number];

/** The kind of the rows of the audit log: no stream carries it, and listeners and webhooks get it only where they name it. */
export const AUDIT_KIND = 'audit.recorded' satisfies DomainEventKind;

/** What operations publish themselves: all that no trigger logs, and no row of the audit log. */
export type PublishedEvent = Exclude<DomainEvent, { readonly kind: TriggerKind | typeof AUDIT_KIND }>;

/** Whether triggers log a kind. */
export function isLoggedByTriggers(kind: string): kind is TriggerKind {
  return LOGGED_BY_TRIGGERS.some((logged) => logged === kind);
}

/** What a kind of event is about: all before the dot. */
export type Subject<Kind extends string> = Kind extends `${infer Before}.${string}` ? Before : never;

/** What a listener may name: one kind, all kinds of a subject (`sandbox.*`), or all but those of the audit log (`*`). */
export type DomainEventPattern = DomainEventKind | `${Subject<DomainEventKind>}.*` | '*';

/** The events that a pattern matches. */
export type DomainEventOf<Pattern extends DomainEventPattern> = Pattern extends '*'
  ? Exclude<DomainEvent, { readonly kind: typeof AUDIT_KIND }>
  : Pattern extends `${infer Before}.*`
    ? Extract<DomainEvent, { kind: `${Before}.${string}` }>
    : Extract<DomainEvent, { kind: Pattern }>;

export const DOMAIN_EVENT_KINDS: readonly DomainEventKind[] = domainEventSchema.options.map(
  ({ shape }) => shape.kind.value,
);
