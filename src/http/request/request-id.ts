import 'pino-http';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Gives the request its id, the caller's where it is acceptable, and answers with it
 * (docs/contract.md#request-ids).
 */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  request.id = given !== undefined && ACCEPTABLE.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', request.id);
  next();
}
