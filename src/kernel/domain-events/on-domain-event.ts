import 'reflect-metadata';
import type { EntityManager } from 'typeorm';
import type { Pace, RunningJob } from '../jobs';
import type { DomainEventOf, DomainEventPattern } from './kinds/event-kinds';
import type { ExtensionEventKind } from './domain-event-kinds';
import type { AgentEventOf } from './listened-kinds';

/** How a listener runs that is called after the commit of the change. */
export interface AfterCommit {
  readonly after: 'commit';
  /** Its jobs are stored under this name, so it must be unique and stay the same from release to release. */
  readonly name: string;
  /** `slow` for one that waits for another server. Default: `quick`. */
  readonly pace?: Pace;
}

/** Which of the agents' events a listener of `event.received` is called with. */
export interface OfEventKinds<Kind extends string> {
  /** Kinds as agent servers name them, such as `MessageEvent`. */
  readonly eventKinds: readonly [Kind, ...Kind[]];
}

/** What {@link OnDomainEvent} was given. */
export class ListenerOptions {
  constructor(
    readonly patterns: readonly string[],
    readonly afterCommit: AfterCommit | null,
    /** Null for all of the agents' events. */
    readonly eventKinds: readonly string[] | null,
  ) {}
}

type Listener<Event, Context> = (event: Event, context: Context) => Promise<void>;

type ListenerDecorator<Method> = <Decorated extends Method>(
  target: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<Decorated>,
) => void;

const LISTENER = 'domain-events:listener';

/**
 * Makes a method of a provider, or of a controller, a listener of domain events.
 *
 * Without options it is called with the event and the transaction of the change, before that commits: what it
 * writes commits with the change, and when it throws, the change is rolled back.
 *
 * With `{ after: 'commit', name }` it is called with the event and its job, once the change is committed: at
 * least once, with the retries of the job queue, on any replica. It must therefore be idempotent.
 *
 * With `{ eventKinds }` a listener of `event.received` is called with agents' events of those kinds only, and nothing is
 * written for the others.
 *
 * A listener of events of an extension says itself what it is called with, as in `ExtensionEventOf<typeof budgetSpent>`.
 * @param patterns kinds, `subject.*` or `*`, which is all of the service but the rows of the audit log
 */
export function OnDomainEvent<const Kind extends string>(
  pattern: 'event.received',
  options: AfterCommit & OfEventKinds<Kind>,
): ListenerDecorator<Listener<AgentEventOf<Kind>, RunningJob>>;
export function OnDomainEvent<const Kind extends string>(
  pattern: 'event.received',
  options: OfEventKinds<Kind>,
): ListenerDecorator<Listener<AgentEventOf<Kind>, EntityManager>>;
export function OnDomainEvent<Pattern extends DomainEventPattern>(
  patterns: Pattern | readonly Pattern[],
): ListenerDecorator<Listener<DomainEventOf<Pattern>, EntityManager>>;
export function OnDomainEvent<Pattern extends DomainEventPattern>(
  patterns: Pattern | readonly Pattern[],
  options: AfterCommit,
): ListenerDecorator<Listener<DomainEventOf<Pattern>, RunningJob>>;
export function OnDomainEvent<const Kind extends string>(
  kinds: (Kind & ExtensionEventKind<Kind>) | readonly (Kind & ExtensionEventKind<Kind>)[],
): ListenerDecorator<Listener<never, EntityManager>>;
export function OnDomainEvent<const Kind extends string>(
  kinds: (Kind & ExtensionEventKind<Kind>) | readonly (Kind & ExtensionEventKind<Kind>)[],
  options: AfterCommit,
): ListenerDecorator<Listener<never, RunningJob>>;
export function OnDomainEvent(
  patterns: string | readonly string[],
  given: Partial<AfterCommit & OfEventKinds<string>> = {},
): ListenerDecorator<Listener<never, never>> {
  const { after, name, pace, eventKinds = null } = given;
  const options = new ListenerOptions(
    typeof patterns === 'string' ? [patterns] : patterns,
    after === undefined || name === undefined ? null : { after, name, ...(pace !== undefined && { pace }) },
    eventKinds,
  );
  return (_target, _method, { value }) => {
    if (value !== undefined) Reflect.defineMetadata(LISTENER, options, value);
  };
}

/** What a method was decorated with; undefined for one that is no listener. */
export function listenerOptionsOf(method: object): ListenerOptions | undefined {
  const options: unknown = Reflect.getMetadata(LISTENER, method);
  return options instanceof ListenerOptions ? options : undefined;
}
