import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { ask } from '../../support/database/ask';
import { PgBouncer } from '../../support/database/pgbouncer';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { saying } from '../../support/queue/queued-messages';
import { Load } from '../../support/replicas/load';
import { describeWith } from '../../support/replicas/programs';
import { Replicas } from '../../support/replicas/replicas';
import { ConversationClient } from '../../support/service/conversation-client';
import { freePort } from '../../support/service/free-port';
import { ServiceProcess } from '../../support/service/service-process';

/** Far fewer than the connections of two replicas. */
const SESSIONS = 4;

/** What a statement may leave in a session for whoever gets it next. */
const LEFT_BEHIND = `
  SELECT (SELECT count(*) FROM pg_prepared_statements) AS prepared,
         (SELECT count(*) FROM pg_listening_channels()) AS channels,
         (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks,
         (SELECT count(*) FROM pg_cursors WHERE is_holdable) AS cursors,
         (SELECT count(*) FROM pg_class WHERE relpersistence = 't') AS temporary_tables,
         (SELECT coalesce(string_agg(name, ' '), '') FROM pg_settings
           WHERE source = 'session'
             AND name NOT IN ('application_name', 'client_encoding', 'DateStyle', 'TimeZone',
                              'standard_conforming_strings')) AS settings`;

const NOTHING = {
  prepared: '0',
  channels: '0',
  locks: '0',
  cursors: '0',
  temporary_tables: '0',
  settings: '',
};

describeWith('pgbouncer', 'two replicas behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pgbouncer: PgBouncer;
  let double: AgentServerDouble;
  let replicas: Replicas;
  let client: ConversationClient;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    pgbouncer = await PgBouncer.start(database.url, SESSIONS);
    const ports = [await freePort(), await freePort()];
    double = await AgentServerDouble.start({
      webhookUrl: `http://127.0.0.1:${ports[1]}/api/v1/webhooks`,
      webhookBatch: 100,
    });
    replicas = await Replicas.start({
      ports,
      databaseUrls: [pgbouncer.url, pgbouncer.url],
      double,
      env: { DATABASE_DIRECT_URL: database.url },
    });
    client = new ConversationClient({ url: replicas.url(0) }, replicas.key);
  });

  afterAll(async () => {
    await replicas.close();
    await double.stop();
    await pgbouncer.stop();
    await database.drop();
  });

  /** What each of the pooler's sessions has kept: transactions that are open at a time have different ones. */
  async function keptInSessions(): Promise<unknown[]> {
    const clients = Array.from({ length: SESSIONS }, () => new Client(pgbouncer.url));
    try {
      const kept: unknown[] = [];
      const processes = new Set<number>();
      for (const one of clients) {
        await one.connect();
        await one.query('BEGIN');
        kept.push((await one.query<Record<string, unknown>>(LEFT_BEHIND)).rows[0]);
        const { rows } = await one.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        processes.add(rows[0]?.pid ?? 0);
      }
      expect(processes.size).toBe(SESSIONS);
      return kept;
    } finally {
      for (const one of clients) await one.end();
    }
  }

  it('start conversations, deliver messages, list, stream, and run jobs on few shared sessions', async () => {
    const ids = [await client.ready(), await client.ready(), await client.ready()];
    const load = new Load({ url: replicas.url(0), key: replicas.key, conversationIds: ids });
    const [queuedTo = ''] = ids;
    await eventually(() =>
      expect(Math.min(...[...load.sent.values()].map(({ length }) => length))).toBeGreaterThan(20),
    );
    await load.stopCalls();
    expect(load.failures).toEqual([]);

    const queued = await client.call('POST', `/api/v1/conversations/${queuedTo}/pending-messages`, {
      body: saying('queued'),
    });
    expect(queued.status).toBe(200);
    for (const id of ids) {
      const sent = [...(load.sent.get(id) ?? []), ...(id === queuedTo ? ['queued'] : [])];
      await eventually(() => expect(double.messages(id).map(({ text }) => text)).toEqual(sent));
      const logged = double.conversation(id).log.all().length;
      await eventually(() => expect(load.streams.get(id)?.messages.length).toBeGreaterThanOrEqual(logged));
    }
    await load.stop();

    const [{ id: orgId } = {}] = await ask(database.url, 'SELECT id FROM organizations');
    const path = `/api/organizations/${String(orgId)}/conversations`;
    const list = await client.call<{ items: unknown[] }>('GET', path);
    expect([list.status, list.body.items.length]).toEqual([200, 3]);
    for (const index of [0, 1]) {
      const { output } = replicas.process(index);
      expect(output).not.toContain('"level":50');
      expect(output).not.toContain('Notifications of the database do not arrive');
    }
  });

  it('leave nothing behind in a session that somebody else gets next', async () => {
    expect(await keptInSessions()).toEqual(Array(SESSIONS).fill(NOTHING));
  });

  it('say which time limits do not hold there', () => {
    for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      expect(replicas.process(0).output).toContain(`ALTER ROLE … SET ${limit}`);
  });

  /** What a service says that does not start. */
  async function refusal(settings: Readonly<Record<string, string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'no-sessions-'));
    const service = ServiceProcess.start({
      DATA_DIR: folder,
      DATABASE_URL: pgbouncer.url,
      SECRET_KEY: 'shared by replicas: 0123456789abcdef',
      ...settings,
    });
    try {
      expect(await service.ended).toBe(1);
      return service.errors;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  it.each(['DATABASE_URL', 'DATABASE_DIRECT_URL'])('do not start when %s leads to it', async (name) => {
    expect(await refusal({ [name]: pgbouncer.url })).toBe(
      `${name} leads to a pooler in which connections share sessions. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.\n`,
    );
  });

  it('do not start, and change nothing, when DATABASE_DIRECT_URL leads to another database', async () => {
    const other = await createEmptyDatabase();
    try {
      expect(await refusal({ DATABASE_DIRECT_URL: other.url })).toMatch(
        /^DATABASE_DIRECT_URL and DATABASE_URL lead to different databases\./,
      );
      expect(await ask(other.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    } finally {
      await other.drop();
    }
  });
});
