const DEADLINE_MS = 180_000;
const POLL_MS = 250;

/** Calls the service as a client would. */
export class DemoClient {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  /** @returns the JSON of the response, with values of unknown type */
  async call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'X-Access-Token': this.key,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const received: unknown = await response.json();
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(received)}`);
    return recordOf(Array.isArray(received) ? { items: received } : received);
  }

  /** Polls until the result is there. */
  async until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const deadline = Date.now() + DEADLINE_MS;
    while (Date.now() < deadline) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${what} took longer than ${DEADLINE_MS / 1000} seconds.`);
  }

  /** The curl command of a call, with the key as a variable. */
  curl(method: string, path: string, body?: unknown): string {
    const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), `-H "X-Access-Token: $KEY"`];
    if (body !== undefined) parts.push(`-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`);
    return [...parts, `'${this.url}${path}'`].join(' ');
  }
}

/** @returns an empty record for anything else */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** The items of a page. */
export function itemsOf(page: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(page.items) ? page.items.map(recordOf) : [];
}
