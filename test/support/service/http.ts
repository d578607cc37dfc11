import type { Agent, IncomingHttpHeaders } from 'node:http';
import request from 'supertest';

/** What a test sends in addition to method and path. */
export interface CallOptions {
  /** The value of `X-Access-Token`. */
  readonly key?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is; with `Content-Type: application/json` unless `headers` say otherwise. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose connections are used, for example from another address. */
  readonly agent?: Agent;
}

/** A response; `body` is its parsed JSON, its text if it is not JSON, or null if it is empty. */
export interface HttpResponse<Body = unknown> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** The body of every error but 422. */
export interface ErrorBody {
  readonly detail: string;
  readonly code: string;
}

/**
 * Calls an operation of a running service.
 * @param server where it listens
 * @param path with its query
 */
export async function call<Body = unknown>(
  server: { readonly url: string },
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<HttpResponse<Body>> {
  const content = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const sent = new request.Test(server.url, method, path)
    .redirects(0)
    .set({
      ...(content !== undefined && { 'Content-Type': 'application/json' }),
      ...(options.key !== undefined && { 'X-Access-Token': options.key }),
      ...options.headers,
    })
    .serialize(asItIs)
    .responseType('blob');
  if (options.agent !== undefined) sent.agent(options.agent);
  const response = await (content === undefined ? sent : sent.send(content));
  return { status: response.status, headers: response.headers, body: parsedBody(response) as Body };
}

/** Keeps superagent from writing a Buffer as JSON. */
function asItIs(content: string): string {
  return content;
}

function parsedBody({ headers, body }: request.Response): unknown {
  const bytes: unknown = body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return null;
  const text = bytes.toString('utf8');
  return /\bjson\b/.test(headers['content-type'] ?? '') ? (JSON.parse(text) as unknown) : text;
}
