import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Sets the headers by which browsers are kept from doing harm with responses of the service. */
export const securityHeaders = helmet({
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
});

/** The headers that {@link securityHeaders} sets, the same on every response. */
export function allSecurityHeaders(): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  securityHeaders(request, response, () => undefined);
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}
