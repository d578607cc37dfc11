import { StartError } from '../common';

/** A listener names a kind of event that does not exist: the service does not start. */
export class UnknownEventKindError extends StartError {
  constructor(pattern: string) {
    super(`A listener names ${pattern}, which is no kind of domain event.`);
  }
}

/** A listener names kinds of agents' events that cannot be any, or listens to other events too: the service does not start. */
export class MalformedEventKindsError extends StartError {
  constructor(eventKinds: readonly string[]) {
    super(
      `A listener names [${eventKinds.join(', ')}] as kinds of agents' events: only one of event.received may, with names such as MessageEvent.`,
    );
  }
}

/** A listener's provider is created for each request, so nothing could call it: the service does not start. */
export class ScopedListenerError extends StartError {
  constructor(provider: string) {
    super(`${provider} listens to domain events and must not be request-scoped or transient.`);
  }
}
