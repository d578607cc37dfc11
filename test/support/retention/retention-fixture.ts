import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../src/kernel/common';
import { RetentionRuns } from '../../../src/operations/retention';
import { startTestApp, type TestApp, type TestAppOptions } from '../service/app';
import { makeCaller, makeOrg, type TestCaller } from '../service/factories';
import { call } from '../service/http';

/** A conversation to be stored; by default a root that finished, in a paused sandbox of its own. */
export interface OldConversation {
  /** Days since anything of it was active. */
  readonly days: number;
  readonly events?: number;
  /** Bytes of the text of each event. */
  readonly eventBytes?: number;
  /** Of its sandbox; null for none. */
  readonly sandbox?: string | null;
  readonly stopping?: 'pause' | 'delete';
  readonly parent?: string;
  readonly startState?: 'starting' | 'ready' | 'failed';
  /** The states of its messages, each as old as the conversation. */
  readonly messages?: readonly string[];
  readonly cost?: number;
  readonly model?: string | null;
}

/** A service that runs no jobs, and what an organization has kept in it. */
export class RetentionFixture {
  private daysAhead = 0;

  private constructor(
    readonly app: TestApp,
    readonly orgId: string,
    readonly owner: TestCaller,
  ) {}

  static async start(options: TestAppOptions = {}): Promise<RetentionFixture> {
    const app = await startTestApp({ ...options, env: { APP_ROLE: 'api', ...options.env } });
    const { id } = await makeOrg(app.db);
    return new RetentionFixture(app, id, await makeCaller(app.db, id, 'owner'));
  }

  get db(): DataSource {
    return this.app.db;
  }

  get runs(): RetentionRuns {
    return this.app.app.get(RetentionRuns, { strict: false });
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** An organization of its own, for a test that others are not to disturb. */
  async another(): Promise<RetentionFixture> {
    const { id } = await makeOrg(this.db);
    return new RetentionFixture(this.app, id, await makeCaller(this.db, id, 'owner'));
  }

  /** Sets periods as an owner does. */
  async keep(periods: Readonly<Record<string, number | null>>): Promise<void> {
    const { status, body } = await call(this.app, 'PUT', `/api/organizations/${this.orgId}/retention`, {
      ...this.owner,
      body: periods,
    });
    expect({ status, body }).toMatchObject({ status: 200 });
  }

  /** Has what was announced so far been announced a week ago. */
  async weekLater(): Promise<void> {
    await this.db.query(
      `UPDATE retention_announcements SET announced_at = announced_at - interval '8 days' WHERE org_id = $1`,
      [this.orgId],
    );
  }

  /** Lets time pass for retention. */
  passDays(days: number): void {
    this.daysAhead += days;
    const clock = this.app.app.get(Clock);
    const ahead = this.daysAhead * 86_400_000;
    jest.spyOn(clock, 'now').mockImplementation(() => new Date(Date.now() + ahead));
  }

  run(): ReturnType<RetentionRuns['run']> {
    return this.runs.run(this.orgId, 'system');
  }

  /** Announces what is due, lets a week pass, and removes it. */
  async announcedRun(): ReturnType<RetentionRuns['run']> {
    await this.run();
    await this.weekLater();
    return this.run();
  }

  /** Stores a conversation, and all that belongs to it. @returns its id */
  async store(old: OldConversation): Promise<string> {
    const id = randomUUID();
    const { days, events = 0, eventBytes = 100, sandbox = 'PAUSED', messages = [] } = old;
    const sandboxId = sandbox === null ? null : await this.sandbox(sandbox, days, old.stopping);
    const at = new Date(Date.now() - days * 86_400_000);
    const { orgId, owner } = this;
    await this.db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, parent_conversation_id, sandbox_id, own_sandbox, start_state,
                                  title, llm_model, execution_status, selected_repository, tags, accumulated_cost, prompt_tokens,
                                  completion_tokens, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, true, $6, 'A secret title', $7, 'finished', 'acme/secret', '{"team":"secret"}', $8, 100, 10,
               $9, $9)`,
      [
        ...[id, orgId, owner.userId, old.parent ?? null, sandboxId, old.startState ?? 'ready'],
        ...[old.model === undefined ? 'a/model' : old.model, old.cost ?? 0.5, at],
      ],
    );
    if (events > 0) await this.addEvents(id, events, at, eventBytes);
    if (messages.length > 0) await this.addMessages(id, messages, at);
    return id;
  }

  async sandbox(status: string, days: number, stopping?: 'pause' | 'delete'): Promise<string> {
    const id = randomUUID();
    await this.db.query(
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, stopping, last_activity_at, created_at)
       VALUES ($1, $2, $3, 'process', $4, $5, $6, $6)`,
      [
        ...[id, this.orgId, this.owner.userId, status, stopping ?? null],
        new Date(Date.now() - days * 86_400_000),
      ],
    );
    return id;
  }

  /** Stores events behind those that a conversation has. */
  async addEvents(id: string, count: number, at: Date, bytes = 100): Promise<void> {
    await this.db.query(
      `WITH log AS (
         INSERT INTO event_logs AS l (conversation_id, last_seq, bytes) VALUES ($1, $2, $2::bigint * $4)
         ON CONFLICT (conversation_id) DO UPDATE SET last_seq = l.last_seq + $2, bytes = l.bytes + $2::bigint * $4
         RETURNING last_seq - $2 AS before, org_id
       ), counted AS (
         INSERT INTO event_bytes AS b (org_id, part, bytes) SELECT org_id, event_bytes_part($1), $2::bigint * $4 FROM log
         ON CONFLICT (org_id, part) DO UPDATE SET bytes = b.bytes + excluded.bytes
       )
       INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
       SELECT $1, 'event-' || (before + n), before + n, 'MessageEvent', $3::timestamptz + n * interval '1 millisecond',
              rpad('{"id":"event-' || (before + n) || '","kind":"MessageEvent","text":"', $4::int - 2, 'x') || '"}'
         FROM log, generate_series(1, $2) n`,
      [id, count, at, bytes],
    );
  }

  async addMessages(conversationId: string, states: readonly string[], at: Date): Promise<void> {
    await this.db.query(
      `WITH queue AS (
         INSERT INTO message_queues (id, user_id, conversation_id, created_at) VALUES (gen_random_uuid(), $2, $1, $4)
         RETURNING id
       )
       INSERT INTO pending_messages (id, queue_id, rank, role, content, run, state, created_at, delivered_at)
       SELECT gen_random_uuid(), queue.id, n, 'user', '[{"type":"text","text":"secret"}]', true, state, $4,
              CASE WHEN state = 'delivered' THEN $4::timestamptz END
         FROM queue, unnest($3::text[]) WITH ORDINALITY AS s (state, n)`,
      [conversationId, this.owner.userId, states, at],
    );
    // The trigger that places messages does not see the queue of the same statement.
    await this.db.query(
      `UPDATE pending_messages m SET org_id = $2 FROM message_queues q WHERE q.id = m.queue_id AND q.conversation_id = $1`,
      [conversationId, this.orgId],
    );
  }

  /** Those that are in the list of the organization. */
  async listed(): Promise<string[]> {
    const path = `/api/organizations/${this.orgId}/conversations?limit=100&include_sub_conversations=true`;
    const { body } = await call<{ items: { id: string }[] }>(this.app, 'GET', path, this.owner);
    return body.items.map(({ id }) => id);
  }

  /** What the service says of the organization as a whole. */
  async get<Body>(path: string): Promise<Body> {
    const { body } = await call<Body>(this.app, 'GET', `/api/organizations/${this.orgId}${path}`, this.owner);
    return body;
  }

  /** The rows that runs have left in the audit log, as they were logged. */
  async recorded(): Promise<{ action: string; actor: { kind: string }; changes: { after: unknown }[] }[]> {
    const rows = await this.db.query<
      { event: { action: string; actor: { kind: string }; changes: { after: unknown }[] } }[]
    >(
      `SELECT event FROM domain_events WHERE org_id = $1 AND kind = 'audit.recorded' AND event ->> 'action' = 'retention.run'
        ORDER BY id`,
      [this.orgId],
    );
    return rows.map(({ event }) => event);
  }

  /** The domain events of a kind. */
  async happened<Event>(kind: string): Promise<Event[]> {
    const rows = await this.db.query<{ event: Event }[]>(
      'SELECT event FROM domain_events WHERE org_id = $1 AND kind = $2 ORDER BY id',
      [this.orgId, kind],
    );
    return rows.map(({ event }) => event);
  }
}
