import { request } from 'node:http';

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  /** What the JSON of the body says, or its text when it is no JSON. */
  readonly body: unknown;
}

/** Sends bytes without touching them: no escaping of the path, no content type of its own. */
export function sendRaw(
  url: string,
  sent: {
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
  },
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { ...sent.headers, ...(sent.body.length > 0 && { 'content-length': sent.body.length }) };
    // A connection of its own: one kept alive may be closed by the server at the moment it is used again.
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
