import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * The headers by which browsers are kept from doing harm with responses of the service, and all caches from keeping them: what may
 * be kept says so itself, later (docs/contract.md#conventions). They are the same on every response, so helmet makes them once.
 */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ...headersOfHelmet(),
];

function headersOfHelmet(): [name: string, value: string][] {
  const request = new IncomingMessage(new Socket());
  const headers: [string, string][] = [];
  const response = Object.assign(new ServerResponse(request), {
    setHeader: (name: string, value: string) => headers.push([name, value]),
  });
  const setHeaders = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  setHeaders(request, response, () => undefined);
  return headers;
}
