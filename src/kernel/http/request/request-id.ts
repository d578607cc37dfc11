import 'pino-http';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Gives the request its id, the caller's where it is acceptable, and answers with it
 * (docs/contract.md#request-ids).
 */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Request-Id', giveRequestId(request));
  next();
}

/** Gives the request its id, unless it has one. @returns the id */
export function giveRequestId(request: IncomingMessage): string {
  const known: unknown = request.id;
  if (typeof known === 'string') return known;
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
  request.id = id;
  return id;
}
