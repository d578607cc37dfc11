import type { IncomingMessage } from 'node:http';

/** The service's own request headers; Node joins repeated ones with commas. */
const OWN_HEADERS = ['x-access-token', 'x-session-api-key', 'x-org-id', 'x-request-id', 'idempotency-key'];

/** Of a repeated header the first one counts, as for the clients of the modelled framework. */
export function keepFirstOwnHeaders(request: IncomingMessage): void {
  const { headers } = request;
  for (const name of OWN_HEADERS) {
    const value = headers[name];
    if (typeof value !== 'string' || !value.includes(',')) continue;
    const [first] = request.headersDistinct[name] ?? [];
    if (first !== undefined) headers[name] = first;
  }
}
