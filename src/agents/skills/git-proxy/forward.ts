import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { RegistrationProblem } from '../registration/registration-problem';
import type { Destinations } from './tunnel';
import type { ProxySession } from './proxy-session';

/** Hop-by-hop headers, which a proxy does not forward. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Forwards a plain http request; only hosts that the operator allows may be reached unencrypted. */
export async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  destinations: Destinations,
  session: ProxySession,
): Promise<void> {
  session.track(incoming.socket);
  try {
    const url = absoluteUrl(incoming.url ?? '');
    const port = url.port === '' ? 80 : Number(url.port);
    if (url.protocol !== 'http:' || !destinations.allows(url.hostname, port))
      throw new RegistrationProblem(`the host ${url.hostname} may be reached by https only`);
    session.assertAllowed(url);
    const [address] = await destinations.addressesOf(url.hostname, port);
    await relay(incoming, response, { host: address ?? url.hostname, port, url }, session);
  } catch (error) {
    session.note(
      error instanceof RegistrationProblem
        ? error
        : new RegistrationProblem('the host cannot be reached', { cause: error }),
    );
    if (response.headersSent) response.destroy();
    else response.writeHead(403, { 'Content-Length': '0' }).end();
  }
}

function absoluteUrl(text: string): URL {
  if (!URL.canParse(text)) throw new RegistrationProblem('the address of the repository is not understood');
  return new URL(text);
}

function relay(
  incoming: IncomingMessage,
  response: ServerResponse,
  to: { readonly host: string; readonly port: number; readonly url: URL },
  session: ProxySession,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: to.host,
      port: to.port,
      method: incoming.method,
      path: `${to.url.pathname}${to.url.search}`,
      headers: { ...endToEnd(incoming.headers), host: to.url.host },
      agent: session.agent,
    });
    outgoing.on('error', reject);
    outgoing.once('response', (upstream) => {
      upstream.once('error', reject);
      try {
        response.writeHead(upstream.statusCode ?? 502, endToEnd(upstream.headers));
      } catch (error) {
        // Servers may send invalid responses, such as the status 099; nothing else here would catch the error.
        outgoing.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      upstream.on('data', (chunk: Buffer) => session.count(chunk.length));
      upstream.pipe(response);
    });
    outgoing.once('close', () => {
      if (!response.headersSent) reject(new Error('There was no answer.'));
    });
    response.once('close', () => {
      outgoing.destroy();
      resolve();
    });
    incoming.pipe(outgoing);
  });
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}
