import type { RunningSandbox } from '../../sandboxes';
import type { IncomingMessage } from 'node:http';
import { traceContext, traceHeaders } from '../../../kernel/telemetry';

/** Headers of one connection, not of the request (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'content-length',
];

/** The service's credentials, and what reveals its callers and network. */
const OF_THE_SERVICE = [
  'host',
  'authorization',
  'x-access-token',
  'x-session-api-key',
  'x-org-id',
  'cookie',
  'x-request-id',
  'origin',
  'referer',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
];

/**
 * What proxies in front add about the network and the signed-in user, some of it credentials; and by what the API server of
 * a cluster takes who calls for somebody else.
 */
const OF_PROXIES = /^(?:x-forwarded-|x-auth-request-|x-amzn-oidc-|cf-|x-goog-|x-remote-|impersonate-)/;

/** The caller's trace goes on through the service, where that has traces; otherwise past it. */
const OF_TRACES = new Set(['traceparent', 'tracestate']);

const LEFT_OUT = new Set([...HOP_BY_HOP, ...OF_THE_SERVICE]);

/** With these an agent server reveals secrets; on a shared one, the operator's. */
const NOT_FOR_SHARED_SERVERS = new Set(['x-expose-secrets']);

/**
 * The request headers sent to the agent server: the caller's, without those of the connection or the service, and with
 * the sandbox's key.
 * @param requestId the request's own
 * @returns names and values alternating
 */
export function passedHeaders(
  request: IncomingMessage,
  sandbox: RunningSandbox,
  requestId: string,
): string[] {
  const { rawHeaders, headers } = request;
  const named = namedByConnection(headers.connection);
  const trace = traceContext();
  const passed: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (LEFT_OUT.has(name) || named?.has(name) === true || name.startsWith('sec-websocket-')) continue;
    if (OF_PROXIES.test(name)) continue;
    if (trace !== undefined && OF_TRACES.has(name)) continue;
    if (sandbox.sharesServer && NOT_FOR_SHARED_SERVERS.has(name)) continue;
    passed.push(name, rawHeaders[i + 1] ?? '');
  }
  passed.push('x-request-id', requestId, ...traceHeaders(trace));
  if (sandbox.agentServer.apiKey !== '') passed.push('x-session-api-key', sandbox.agentServer.apiKey);
  return passed;
}

function namedByConnection(connection: string | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
}
