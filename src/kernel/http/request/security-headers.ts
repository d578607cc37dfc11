import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { NextFunction } from 'express';

const forBrowsers = helmet({
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
});

/**
 * Sets the headers by which browsers are kept from doing harm with responses of the service, and all caches from keeping them:
 * what may be kept says so itself, later (docs/contract.md#conventions).
 */
export function securityHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  next: NextFunction,
): void {
  response.setHeader('Cache-Control', 'no-store');
  forBrowsers(request, response, next);
}

/** The headers that {@link securityHeaders} sets, the same on every response. */
export function allSecurityHeaders(): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  securityHeaders(request, response, () => undefined);
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}
