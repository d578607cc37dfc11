import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { EmbeddedConfig } from './config/embedded-config';

const bodySchema = z.object({ session_api_keys: z.array(z.string()).min(1), secret_key: z.string() });

/** What an agent server gets that was started before anybody wanted it. */
export type GivenKeys = Pick<EmbeddedConfig, 'sessionApiKeys' | 'secretKey'>;

/**
 * Waits, as the real agent server does with `OH_DEFERRED_INIT`, until somebody who knows the secret key gives it keys
 * (`POST /api/init`). Until then all else is a 503, but for the probes.
 */
export async function keysToCome({ host, port, secretKey }: EmbeddedConfig): Promise<GivenKeys> {
  const server = createServer();
  const given = new Promise<GivenKeys>((resolve) => {
    server.on('request', (request, response) => {
      const refused: Answer = { status: 400, body: { detail: 'Bad Request' } };
      const answered = answer(request, secretKey).catch(() => refused);
      void answered.then(({ status, body, keys }) => {
        response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
        response.end(JSON.stringify(body), () => keys !== undefined && resolve(keys));
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const keys = await given;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
  return keys;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly keys?: GivenKeys;
}

async function answer(request: IncomingMessage, secretKey: string | null): Promise<Answer> {
  const { method, url, headers } = request;
  if (method === 'GET' && ['/alive', '/health'].includes(url ?? ''))
    return { status: 200, body: { status: 'ok' } };
  if (method === 'GET' && url === '/ready') return { status: 200, body: { status: 'ready' } };
  if (url !== '/api/init') return { status: 503, body: { detail: 'Internal Server Error' } };
  if (method === 'GET') return { status: 200, body: { state: 'dormant', error: null } };
  if (headers['x-init-api-key'] !== secretKey) return { status: 401, body: { detail: 'Unauthorized' } };
  const body = bodySchema.safeParse(JSON.parse(await text(request)));
  if (!body.success) return { status: 422, body: { detail: z.prettifyError(body.error) } };
  const { session_api_keys: sessionApiKeys, secret_key } = body.data;
  return {
    status: 200,
    body: { state: 'ready', error: null },
    keys: { sessionApiKeys, secretKey: secret_key },
  };
}
