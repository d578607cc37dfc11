/** The same look-ups with bare `pg` and the same forwarding with bare `node:http`: what is compared against. */
import { createHash } from 'node:crypto';
import { Agent, createServer, request as forward } from 'node:http';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const target = new URL(process.env.AGENT_SERVER_URL ?? '');

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on(
    'end',
    () => void answer(String(request.headers['x-access-token']), String(request.url), Buffer.concat(chunks)),
  );

  async function answer(key: string, url: string, body: Buffer): Promise<void> {
    const digest = createHash('sha256').update(key).digest('hex');
    const user = await pool.query<{ user_id: string }>(
      `SELECT k.user_id FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.digest = $1 AND u.disabled_at IS NULL`,
      [digest],
    );
    const conversation = await pool.query<{ id: string; org_id: string; sandbox_id: string }>(
      'SELECT * FROM conversations c WHERE c.id = $1 AND c.deleted_at IS NULL',
      [url.split('/')[4]],
    );
    const [found] = conversation.rows;
    await pool.query('SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2', [
      found?.org_id,
      user.rows[0]?.user_id,
    ]);
    await pool.query('SELECT * FROM sandboxes WHERE id = $1', [found?.sandbox_id]);
    const onward = forward(
      {
        agent,
        host: target.hostname,
        port: target.port,
        method: 'POST',
        path: `/api/conversations/${found?.id ?? ''}/events`,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          'X-Session-API-Key': 'bench',
        },
      },
      (reply) => {
        reply.resume();
        reply.on('end', () => {
          response.writeHead(200, { 'Content-Type': 'application/json' });
          response.end('{"success":true,"sandbox_status":"RUNNING"}');
        });
      },
    );
    onward.end(body);
  }
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
