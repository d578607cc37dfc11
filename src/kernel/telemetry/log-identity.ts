import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';

/** The request or the job in which something is logged. */
type LogIdentity = { readonly requestId: string } | { readonly jobId: string };

const current = new AsyncLocalStorage<LogIdentity>();

/** Where a request has its own. */
const IDENTITY = Symbol('log identity');

declare module 'http' {
  interface IncomingMessage {
    [IDENTITY]?: LogIdentity;
  }
}

/** Does the work of a request or a job, whose id is in all that is logged meanwhile. */
export function inLogged<Result>(identity: LogIdentity, work: () => Result): Result {
  return current.run(identity, work);
}

/** {@link inLogged} for a request, of which {@link RequestNote}s can be made meanwhile. */
export function inRequest<Result>(request: IncomingMessage, requestId: string, work: () => Result): Result {
  const identity = { requestId };
  request[IDENTITY] = identity;
  return current.run(identity, work);
}

/** The request or job under way, for a line of the log; undefined outside of both. */
export function logIdentity(): LogIdentity | undefined {
  return current.getStore();
}

/**
 * What is noted of one request by code that is not given it. Timers and connections that began in a request are in it for as
 * long as they last, and so it keeps nothing but the note.
 */
export class RequestNote<Value> {
  private readonly values = new WeakMap<LogIdentity, Value>();

  /** Notes something of the request under way; nothing outside of requests. */
  set(value: Value): void {
    const identity = current.getStore();
    if (identity !== undefined && 'requestId' in identity) this.values.set(identity, value);
  }

  /** What was noted of the request under way. */
  get(): Value | undefined {
    const identity = current.getStore();
    return identity === undefined ? undefined : this.values.get(identity);
  }

  /** What was noted of a request. */
  of(request: IncomingMessage): Value | undefined {
    const identity = request[IDENTITY];
    return identity === undefined ? undefined : this.values.get(identity);
  }
}
