import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

declare module 'http' {
  interface IncomingMessage {
    /** Set as the request comes. */
    id: string;
  }
}

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** Gives the request its id, the caller's where it is acceptable (docs/contract.md#request-ids). @returns the id */
export function giveRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
  request.id = id;
  return id;
}
