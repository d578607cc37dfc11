import { SpanKind } from '@opentelemetry/api';
import { failSpan, inSpan, traceHeaders } from '../../../kernel/telemetry';
import type { ExchangeRequest, ExchangeResponse } from './exchange/http-exchange';

/** Segments of the agent server's routes; any other segment is an id or a name from a user. */
const WORDS = new Set([
  'alive',
  'ready',
  'health',
  'server_info',
  'api',
  'conversations',
  'events',
  'search',
  'count',
  'run',
  'pause',
  'interrupt',
  'secrets',
  'switch_llm',
  'switch_acp_model',
  'bash',
  'execute_bash_command',
  'file',
  'upload',
  'download',
  'git',
  'changes',
  'diff',
  'skills',
  'llm',
  'providers',
  'models',
  'verified',
  'init',
]);

/**
 * Makes a call in its own span and propagates the trace to the agent server.
 * @param make is given the headers to add
 */
export function inCallSpan(
  { method, path }: Pick<ExchangeRequest, 'method' | 'path'>,
  baseUrl: string,
  make: (headers: string[]) => Promise<ExchangeResponse>,
): Promise<ExchangeResponse> {
  const route = templateOf(path);
  const attributes = { 'http.request.method': method, 'url.template': route, ...addressOf(baseUrl) };
  return inSpan(`${method} ${route}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const response = await make(traceHeaders());
    span.setAttributes({ 'http.response.status_code': response.status });
    if (response.status >= 400) failSpan(span, String(response.status));
    return response;
  });
}

/** A path with `{id}` for every segment outside the protocol, and without its query. */
export function templateOf(path: string): string {
  const [route = ''] = path.split('?', 1);
  return route
    .split('/')
    .map((segment) => (segment === '' || WORDS.has(segment) ? segment : '{id}'))
    .join('/');
}

function addressOf(baseUrl: string): Record<string, string | number> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const standard = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? standard : Number(port) };
}
