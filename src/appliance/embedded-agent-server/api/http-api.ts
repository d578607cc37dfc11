import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { z } from 'zod';
import { messageOf } from '../../../kernel/common';
import type { EmbeddedConfig } from '../config/embedded-config';
import { OutsideFolderError } from '../config/sandbox-folder';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** One request to the API. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** The decoded parts of the path where the route has `:name`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  readonly body: Buffer;
}

/** A response: JSON, or bytes. */
export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
  /** Instead of a JSON body. */
  readonly bytes?: Buffer;
}

export type Handler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** Wraps the handling of a request: it may come before, after or instead of it. */
export type Around = (
  request: ApiRequest,
  next: () => Promise<ApiResponse>,
  connection: Socket,
) => Promise<ApiResponse>;

/** A method, a path such as `/api/conversations/:id`, and what answers it. Earlier routes win. */
export type RouteEntry = readonly [method: string, path: string, handler: Handler];

/** A response that is no 2xx; anything else that a handler throws is a 500. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly detail: unknown,
  ) {
    super(`HTTP ${status}`);
    this.name = 'HttpError';
  }
}

export function notFound(detail = 'Not Found'): HttpError {
  return new HttpError(404, detail);
}

export function ok(body: unknown, status = 200): ApiResponse {
  return { status, body };
}

/** Checks a JSON body as FastAPI does. @throws HttpError 422 with the errors */
export function readJson<Schema extends z.ZodType>(request: ApiRequest, schema: Schema): z.infer<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(request.body.toString('utf8'));
  } catch {
    throw new HttpError(422, [
      { type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error', input: {} },
    ]);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HttpError(
    422,
    parsed.error.issues.map(({ code, path, message }) => ({
      type: code,
      loc: ['body', ...path],
      msg: message,
    })),
  );
}

/** Whether a key is among those that open the API; the time it takes does not reveal how close it was. */
export function isAllowedKey(key: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  if (key === undefined) return false;
  const given = digest(key);
  return allowed.some((one) => timingSafeEqual(digest(one), given));
}

/** Finds the route of a request, checks the key and writes the response. */
export class HttpApi {
  constructor(
    private readonly routes: readonly RouteEntry[],
    private readonly allowed: Pick<EmbeddedConfig, 'sessionApiKeys' | 'corsOrigins'>,
    private readonly around: Around,
  ) {}

  /** Answers one request. */
  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    allowOrigin(incoming, response, this.allowed.corsOrigins);
    try {
      write(response, await this.respond(incoming, response));
    } catch (error) {
      if (response.destroyed) return;
      if (error instanceof HttpError) write(response, ok({ detail: error.detail }, error.status));
      else if (error instanceof OutsideFolderError) write(response, ok({ detail: error.message }, 403));
      else failUnhandled(incoming, response, error);
    }
  }

  private async respond(incoming: IncomingMessage, response: ServerResponse): Promise<ApiResponse> {
    const method = incoming.method ?? 'GET';
    if (method === 'OPTIONS') return ok('OK');
    const url = new URL(incoming.url ?? '/', 'http://embedded');
    const key = incoming.headers['x-session-api-key'];
    if (url.pathname.startsWith('/api/') && !isAllowedKey(key?.toString(), this.allowed.sessionApiKeys)) {
      throw new HttpError(401, 'Unauthorized');
    }
    const { handler, params } = this.match(method, url.pathname);
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
    });
    const request: ApiRequest = {
      method,
      path: url.pathname,
      params,
      query: url.searchParams,
      headers: incoming.headers,
      signal: gone.signal,
      body: await readBody(incoming),
    };
    return this.around(request, async () => handler(request), incoming.socket);
  }

  private match(method: string, path: string): { handler: Handler; params: Record<string, string> } {
    let pathIsKnown = false;
    for (const [routeMethod, routePath, handler] of this.routes) {
      const params = matchPath(routePath, path);
      if (!params) continue;
      if (routeMethod === method) return { handler, params };
      pathIsKnown = true;
    }
    throw pathIsKnown ? new HttpError(405, 'Method Not Allowed') : notFound();
  }
}

function matchPath(route: string, path: string): Record<string, string> | null {
  const wanted = route.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decode(value);
    else if (part !== value) return null;
  }
  return params;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound();
  }
}

function readBody(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // The rest is read and dropped, so that the caller gets to read the response.
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(new HttpError(413, 'Request body too large'));
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
    incoming.once('error', reject);
  });
}

function write(response: ServerResponse, { status, body, bytes }: ApiResponse): void {
  if (response.destroyed || response.headersSent) return;
  const payload = bytes ?? Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': bytes ? 'application/octet-stream' : 'application/json',
    'content-length': payload.length,
  });
  response.end(payload);
}

/** As the real one: the text of the error is in the response, and the connection is reset after it. */
function failUnhandled(incoming: IncomingMessage, response: ServerResponse, error: unknown): void {
  const exception = messageOf(error);
  const body = { detail: 'Internal Server Error', exception, error_id: randomUUID().replaceAll('-', '') };
  response.once('finish', () => setImmediate(() => incoming.socket.destroy()));
  write(response, ok(body, 500));
}

/** Pages on this machine and of the origins named may call from a browser. */
function allowOrigin(
  incoming: IncomingMessage,
  response: ServerResponse,
  corsOrigins: readonly string[],
): void {
  const { origin } = incoming.headers;
  if (origin === undefined) return;
  if (!corsOrigins.includes(origin) && !/^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-allow-methods', 'GET, POST, PATCH, DELETE, OPTIONS');
  response.setHeader('access-control-allow-headers', 'content-type, x-session-api-key');
  response.setHeader('vary', 'origin');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
