/**
 * The baseline for the service: the same look-ups with bare `pg` and the same forwarding with bare `node:http`, and
 * nothing else: no validation, error handling, log or metrics. `REMEMBERED_MS` is how long it caches keys and roles;
 * the service does for 900 ms, and a plain proxy reads them each time.
 */
import { createHash } from 'node:crypto';
import { Agent, createServer, request as forward } from 'node:http';
import { Pool } from 'pg';

const REMEMBERED_MS = Number(process.env.REMEMBERED_MS);

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const agent = new Agent({ keepAlive: true, maxSockets: 128 });
const target = new URL(process.env.AGENT_SERVER_URL ?? '');
const remembered = new Map<string, { readonly value: Promise<string | undefined>; readonly until: number }>();

function remember(key: string, load: () => Promise<string | undefined>): Promise<string | undefined> {
  const now = performance.now();
  const known = remembered.get(key);
  if (known && known.until > now) return known.value;
  const value = load();
  remembered.set(key, { value, until: now + REMEMBERED_MS });
  return value;
}

function userOf(key: string): Promise<string | undefined> {
  const digest = createHash('sha256').update(key).digest('hex');
  return remember(digest, async () => {
    const found = await pool.query<{ user_id: string }>(
      `SELECT k.id, k.user_id, u.email, u.name, k.org_id, u.confined_to_org_id, u.current_org_id,
              k.not_before, k.expires_at
         FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.digest = $1 AND u.disabled_at IS NULL`,
      [digest],
    );
    return found.rows[0]?.user_id;
  });
}

function roleOf(userId: string, orgId: string): Promise<string | undefined> {
  return remember(`${userId}:${orgId}`, async () => {
    const found = await pool.query<{ role: string }>(
      'SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2',
      [orgId, userId],
    );
    return found.rows[0]?.role;
  });
}

interface Target {
  readonly id: string;
  readonly org_id: string;
  readonly created_by_user_id: string;
  readonly status: string;
}

async function targetOf(id: string): Promise<Target | undefined> {
  const found = await pool.query<Target>({
    name: 'send-target',
    text: `SELECT c.id, c.org_id, c.created_by_user_id, c.start_state, s.id AS sandbox_id,
                  s.org_id AS sandbox_org_id, s.created_by_user_id AS sandbox_created_by_user_id, s.driver,
                  s.status, s.stopping, s.status_detail, s.port, s.base_url, s.working_dir,
                  s.sealed_session_key
             FROM conversations c LEFT JOIN sandboxes s ON s.id = c.sandbox_id
            WHERE c.id = $1 AND c.deleted_at IS NULL`,
    values: [id],
  });
  return found.rows[0];
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on(
    'end',
    () => void answer(String(request.headers['x-access-token']), String(request.url), Buffer.concat(chunks)),
  );

  async function answer(key: string, url: string, body: Buffer): Promise<void> {
    const user = await userOf(key);
    const found = await targetOf(url.split('/')[4] ?? '');
    const isTheirs = found !== undefined && user !== undefined && found.created_by_user_id === user;
    if (!isTheirs || (await roleOf(user, found.org_id)) === undefined || found.status !== 'RUNNING') {
      response.writeHead(404).end();
      return;
    }
    const onward = forward(
      {
        agent,
        host: target.hostname,
        port: target.port,
        method: 'POST',
        path: `/api/conversations/${found.id}/events`,
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
