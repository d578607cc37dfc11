import type { IncomingMessage, ServerResponse } from 'node:http';
import { PinoLogger } from 'nestjs-pino';
import { clientAddress } from '../request/client-address';
import { withCaller } from './logging';

/**
 * Logs a request that is answered past Express with the same line as all others (docs/operations.md#log).
 * @param milliseconds from the request to its response
 */
export function logResponse(request: IncomingMessage, response: ServerResponse, milliseconds: number): void {
  const level = response.statusCode >= 500 ? 'warn' : 'info';
  const log = PinoLogger.root;
  if (!log.isLevelEnabled(level)) return;
  const line = {
    ...{ requestId: request.id, req: request, address: clientAddress(request), res: response },
    responseTime: Math.round(milliseconds),
  };
  log[level](
    withCaller(request, response, line),
    response.writableEnded ? 'request completed' : 'request aborted',
  );
}
