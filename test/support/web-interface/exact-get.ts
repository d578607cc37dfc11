import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface ExactResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks for a path exactly as it is written, and takes the bytes of the response as they come. */
export function exactGet(
  server: { readonly url: string },
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ExactResponse> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request({ agent: false, hostname, port, path, headers }, (incoming) => {
      buffer(incoming).then(
        (body) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }),
        reject,
      );
    });
    sent.on('error', reject).end();
  });
}
