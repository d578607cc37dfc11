import type { IncomingMessage } from 'node:http';

const CODE = Symbol('code of the error');

declare module 'http' {
  interface IncomingMessage {
    [CODE]?: string;
  }
}

/** Notes the code of the error that a request is answered with. */
export function noteErrorCode(request: IncomingMessage, code: string): void {
  request[CODE] = code;
}

/** The code of the error that a request was answered with; null for none, and for what another server answered. */
export function errorCodeOf(request: IncomingMessage): string | null {
  return request[CODE] ?? null;
}
