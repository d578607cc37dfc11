/** An agent server that accepts every message and does nothing: the minimal cost of a direct call. */
import { createServer } from 'node:http';

const routes: Record<string, (body: string) => { status: number; json: unknown }> = {
  'GET /health': () => ({ status: 200, json: { status: 'ok' } }),
  'GET /server_info': () => ({ status: 200, json: { title: 'bench' } }),
  'POST /api/skills': () => ({ status: 200, json: { skills: [], sources: {} } }),
  'POST /api/conversations': (body) => ({ status: 201, json: { execution_status: 'idle', ...parsed(body) } }),
};

function parsed(body: string): Record<string, unknown> {
  const { conversation_id, tags } = JSON.parse(body) as Record<string, unknown>;
  return { id: conversation_id, tags };
}

/** Accepts messages; everything else is a 404. */
function otherwise(method: string | undefined): { status: number; json: unknown } {
  return method === 'POST'
    ? { status: 200, json: { success: true } }
    : { status: 404, json: { detail: 'Not Found' } };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const route = routes[`${request.method ?? ''} ${request.url ?? ''}`];
    const { status, json } = route?.(Buffer.concat(chunks).toString()) ?? otherwise(request.method);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
