import { request } from 'node:http';

/** A response as received. */
export interface RawResponse {
  readonly status: number;
  readonly contentType: string;
  /** The parsed JSON of the body, or its text if it is not JSON. */
  readonly body: unknown;
}

/** Sends bytes unchanged: without escaping the path or adding a content type. */
export function sendRaw(
  url: string,
  sent: {
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
  },
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { ...sent.headers, ...(sent.body.length > 0 && { 'content-length': sent.body.length }) };
    // A new connection: the server may close a keep-alive one at the moment it is reused.
    const outgoing = request(
      { agent: false, hostname, port, method: sent.method, path: sent.target, headers },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const contentType = incoming.headers['content-type'] ?? '';
          resolve({ status: incoming.statusCode ?? 0, contentType, body: parsed(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(sent.body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
