import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import { SpanKind } from '@opentelemetry/api';
import { isRecord, parseUuid } from '../../common';
import { failSpan, isTracing, startSpan, type TraceContext } from '../../telemetry';

const NOTED = Symbol('noted route');

declare module 'http' {
  interface IncomingMessage {
    [NOTED]?: string;
  }
}

/** Sets the route template of a request that bypasses Express. */
export function noteRoute(request: IncomingMessage, template: string): void {
  request[NOTED] = template;
}

/** The template of the route that a request took, never its path; undefined where it took none. */
export function routeOf(request: IncomingMessage): string | undefined {
  const route: unknown = 'route' in request ? request.route : undefined;
  return typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string'
    ? route.path
    : request[NOTED];
}

/** Routes that orchestrators, agents and Prometheus poll all the time. */
const PROBES = new Set(['/alive', '/ready', '/health', '/metrics', '/server_info']);

/** Whether a request only asks how the service is. @param url as the request line has it */
export function isProbe(url: string | undefined): boolean {
  return PROBES.has(url?.split('?', 1)[0] ?? '');
}

/** The name of the convention for an unknown method. */
const OTHER = '_OTHER';

/**
 * Handles a request in a span that ends with its response; its caller's trace goes on in it.
 * @param ids attributes by the parameters of paths that they are
 */
export function inRequestSpan(
  request: IncomingMessage,
  response: ServerResponse,
  ids: Readonly<Record<string, string>>,
  handle: () => void,
): void {
  if (!isTracing() || isProbe(request.url)) {
    handle();
    return;
  }
  const method = METHODS.includes(request.method ?? '') ? (request.method ?? OTHER) : OTHER;
  const attributes = {
    'http.request.method': method,
    'url.scheme': 'http',
    'network.protocol.version': request.httpVersion,
  };
  startSpan(method, { kind: SpanKind.SERVER, attributes, parent: callersTrace(request) }, (span) => {
    response.once('close', () => {
      const route = routeOf(request);
      const { statusCode: status } = response;
      span.setAttributes({
        'http.route': route,
        'http.response.status_code': status,
        ...idsOf(request, ids),
      });
      if (route !== undefined) span.updateName(`${method} ${route}`);
      if (status >= 500) failSpan(span, String(status));
      span.end();
    });
    handle();
  });
}

/** What a path names, as attributes; what is no id may be anything. */
function idsOf(
  request: IncomingMessage,
  ids: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const params: unknown = 'params' in request ? request.params : undefined;
  return Object.fromEntries(
    Object.entries(ids).map(([parameter, attribute]) => {
      const id: unknown = isRecord(params) ? params[parameter] : undefined;
      return [attribute, typeof id === 'string' ? (parseUuid(id) ?? undefined) : undefined];
    }),
  );
}

/** Null for none; an invalid header begins a trace as well. */
function callersTrace({ headers }: IncomingMessage): TraceContext | null {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string') return null;
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) };
}
