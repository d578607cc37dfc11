/** What a test sends in addition to method and path. */
export interface CallOptions {
  /** The value of `X-Access-Token`. */
  readonly key?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, with `Content-Type: application/json` unless `headers` has another. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response; `body` is its parsed JSON, its text if it is not JSON, or null if it is empty. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The body of every error but 422. */
export interface ErrorBody {
  readonly detail: string;
  readonly code: string;
}

/**
 * Calls an operation of a running service.
 * @param server the service's URL
 * @param path including the query
 */
export async function call<Body = unknown>(
  server: { readonly url: string },
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer<Body>> {
  const content = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetch(server.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(content !== undefined && { 'Content-Type': 'application/json' }),
      ...(options.key !== undefined && { 'X-Access-Token': options.key }),
      ...options.headers,
    },
    ...(content !== undefined && { body: content }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: read(response, text) as Body };
}

function read(response: Response, text: string): unknown {
  if (text === '') return null;
  const type = response.headers.get('content-type') ?? '';
  return type.includes('json') ? (JSON.parse(text) as unknown) : text;
}
