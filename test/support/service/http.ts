/** What a test sends beside method and path. */
export interface CallOptions {
  /** Goes into `X-Access-Token`. */
  readonly key?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is; with `Content-Type: application/json` unless `headers` say otherwise. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer; `body` is what its JSON says, or its text when it is no JSON, or null when it is empty. */
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
 * @param server where it listens
 * @param path with its query
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
