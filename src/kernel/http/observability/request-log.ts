import type { IncomingMessage, ServerResponse } from 'node:http';
import { PinoLogger } from 'nestjs-pino';
import type { RequestIdentity } from '../../auth';
import { callerOf } from './logging';

/** A request that was answered past Express. */
export interface Answered {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The address of the client. */
  readonly address: string;
  readonly identity: RequestIdentity;
  /** The time from request to response. */
  readonly milliseconds: number;
}

/** Logs a request that is answered past Express with the same line as all others (docs/operations.md#log). */
export function logResponse({ request, response, address, identity, milliseconds }: Answered): void {
  const level = response.statusCode >= 500 ? 'warn' : 'info';
  const log = PinoLogger.root;
  if (!log.isLevelEnabled(level)) return;
  const { sandbox, user, organization, keyId } = callerOf(identity);
  // Undefined fields are left out. Spelled out, because merging objects would cost more than all the rest.
  const line = {
    requestId: request.id,
    req: request,
    address,
    res: response,
    responseTime: Math.round(milliseconds),
    sandbox,
    user,
    organization,
    keyId,
  };
  log[level](line, response.writableEnded ? 'request completed' : 'request aborted');
}
