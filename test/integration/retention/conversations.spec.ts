import { eventually } from '../../support/eventually';
import { call } from '../../support/service/http';
import { RetentionFixture } from '../../support/retention/retention-fixture';

interface Stats {
  readonly total_conversations: number;
  readonly sub_conversations: number;
  readonly total_cost: number;
  readonly usage: Record<string, number>;
  readonly removed: Record<string, number>;
}

describe('conversations that were not active for long', () => {
  let base: RetentionFixture;
  let fixture: RetentionFixture;

  beforeAll(async () => (base = await RetentionFixture.start()));
  beforeEach(async () => {
    fixture = await base.another();
    await fixture.keep({ conversations_days: 30 });
  });
  afterAll(() => base.close());

  it('go with all below them and all that is theirs, and others stay', async () => {
    const root = await fixture.store({ days: 40, events: 12, messages: ['delivered', 'failed'] });
    const child = await fixture.store({ days: 50, parent: root, events: 3 });
    const grandchild = await fixture.store({ days: 60, parent: child });
    const recent = await fixture.store({ days: 20, events: 2 });
    const elsewhere = await base.another();
    const foreign = await elsewhere.store({ days: 400, events: 2 });

    expect(await fixture.announcedRun()).toMatchObject({
      removed: { conversations: { items: 3, bytes: 1_500 + 2 * 33 } },
    });
    expect(await fixture.listed()).toEqual([recent]);
    expect(await elsewhere.listed()).toEqual([foreign]);
    const deleted = await fixture.happened<{ conversation_id: string }>('conversation.deleted');
    expect(deleted.map(({ conversation_id }) => conversation_id).sort()).toEqual(
      [root, child, grandchild].sort(),
    );

    const ids = [root, child, grandchild];
    for (const [table, column] of [
      ['events', 'conversation_id'],
      ['event_logs', 'conversation_id'],
      ['message_queues', 'conversation_id'],
      ['start_tasks', 'conversation_id'],
    ])
      expect([
        table,
        await fixture.db.query(`SELECT 1 FROM ${table} WHERE ${column} = ANY ($1)`, [ids]),
      ]).toEqual([table, []]);
    const rows = await fixture.db.query<object[]>('SELECT * FROM conversations WHERE id = ANY ($1)', [ids]);
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toContain('secret');
    const [bytes] = await fixture.db.query<{ sum: string }[]>(
      'SELECT sum(bytes) FROM event_bytes WHERE org_id = $1',
      [fixture.orgId],
    );
    expect(bytes?.sum).toBe('200');
  });

  it.each([
    ['whose sandbox runs', { sandbox: 'RUNNING' }],
    ['whose sandbox starts', { sandbox: 'STARTING' }],
    ['whose sandbox is being paused', { stopping: 'pause' as const }],
    ['for which a message waits', { messages: ['delivered', 'queued'] }],
    ['to which a message is on its way', { messages: ['delivering'] }],
    ['that is being started', { startState: 'starting' as const }],
  ])('stay %s', async (_, given) => {
    const id = await fixture.store({ days: 100, ...given });
    expect(await fixture.announcedRun()).toMatchObject({ removed: {} });
    expect(await fixture.listed()).toEqual([id]);
    expect(await fixture.recorded()).toEqual([]);
  });

  it('stay while one below them is active, or its sandbox was used', async () => {
    const root = await fixture.store({ days: 100 });
    const child = await fixture.store({ days: 1, parent: root });
    const used = await fixture.store({ days: 100 });
    await fixture.db.query(
      'UPDATE sandboxes SET last_activity_at = now() WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)',
      [used],
    );
    const written = await fixture.store({ days: 100, messages: ['delivered'] });
    await fixture.db.query(
      `UPDATE pending_messages SET delivered_at = now()
        WHERE queue_id = (SELECT id FROM message_queues WHERE conversation_id = $1)`,
      [written],
    );
    await fixture.announcedRun();
    expect((await fixture.listed()).sort()).toEqual([root, child, used, written].sort());
  });

  it('stay where their sandbox starts, or a message comes, while they are being removed', async () => {
    const id = await fixture.store({ days: 100 });
    await fixture.run();
    await fixture.weekLater();
    const runner = fixture.db.createQueryRunner();
    await runner.startTransaction();
    await runner.query(
      `UPDATE sandboxes SET status = 'RUNNING' WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)`,
      [id],
    );
    const run = fixture.run();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await runner.commitTransaction();
    await runner.release();
    expect(await run).toMatchObject({ removed: {} });
    expect(await fixture.listed()).toEqual([id]);
  });

  it('are counted out of lists and totals, and their figures are kept as sums', async () => {
    await fixture.store({ days: 5, cost: 1 });
    const root = await fixture.store({ days: 100, cost: 2 });
    await fixture.store({ days: 100, cost: 4, parent: root, model: null });
    const usageFrom = `/usage?from=${new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10)}`;
    const [stats, usage] = [await fixture.get<Stats>('/conversations/stats'), await fixture.get(usageFrom)];
    expect(stats).toMatchObject({ total_conversations: 3, sub_conversations: 1, total_cost: 7 });
    expect(stats.removed).toMatchObject({ conversations: 0, accumulated_cost: 0 });

    await fixture.announcedRun();
    const after = await fixture.get<Stats>('/conversations/stats');
    expect(after).toMatchObject({
      total_conversations: 1,
      sub_conversations: 0,
      total_cost: 1,
      removed: { conversations: 2, accumulated_cost: 6, prompt_tokens: 200, completion_tokens: 20 },
    });
    for (const [name, amount] of Object.entries(stats.usage))
      expect([name, after.usage[name]! + after.removed[name]!]).toEqual([name, amount]);
    expect(await fixture.get(usageFrom)).toEqual(usage);
    const list = await fixture.get<{ total_items: number }>('/conversations');
    expect(list.total_items).toBe(1);

    await fixture.db.query('SELECT conversation_counts_rebuild()');
    expect(await fixture.get('/conversations/stats')).toEqual(after);
  });

  it('that were deleted before are emptied as late as others', async () => {
    const old = await fixture.store({ days: 100, events: 5 });
    const recent = await fixture.store({ days: 100, events: 5 });
    await fixture.db.query(
      `UPDATE conversations SET deleted_at = now() - CASE WHEN id = $1 THEN interval '31 days' ELSE interval '29 days' END
        WHERE id = ANY ($2)`,
      [old, [old, recent]],
    );
    expect(await fixture.announcedRun()).toMatchObject({
      removed: { conversations: { items: 1, bytes: 500 } },
    });
    const left = await fixture.db.query<object[]>(
      'SELECT conversation_id AS id, count(*)::int AS events FROM events WHERE conversation_id = ANY ($1) GROUP BY 1',
      [[old, recent]],
    );
    expect(left).toEqual([{ id: recent, events: 5 }]);
    expect((await fixture.get<Stats>('/conversations/stats')).removed).toMatchObject({ conversations: 0 });
  });

  it('do not come back by late calls of their agent servers', async () => {
    const id = await fixture.store({ days: 100, events: 5 });
    await fixture.announcedRun();
    for (const path of [`/api/v1/app-conversations?ids=${id}`, `/api/v1/conversation/${id}/events/search`]) {
      const { status, body } = await call(fixture.app, 'GET', path, fixture.owner);
      expect([status, body]).toEqual(path.includes('ids=') ? [200, [null]] : [404, expect.anything()]);
    }
    expect(await fixture.run()).toMatchObject({ removed: {} });
  });

  it('are one row of the audit log for each run, and none where nothing goes', async () => {
    await fixture.store({ days: 100, events: 5 });
    await fixture.store({ days: 100 });
    await fixture.announcedRun();
    await fixture.run();
    const [row, ...more] = await fixture.recorded();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      actor: { kind: 'system' },
      changes: [{ after: { conversations: { items: 2, bytes: 500 } } }],
    });
  });

  it('stay where a hold is made while a run begins', async () => {
    await fixture.keep({ events_days: 30 });
    const held = await fixture.store({ days: 100, events: 3 });
    await fixture.run();
    await fixture.weekLater();
    let run: Promise<unknown> | undefined;
    let isOver = false;
    await fixture.db.transaction(async (transaction) => {
      // As holds are made.
      await transaction.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [fixture.orgId]);
      await transaction.query(
        `INSERT INTO legal_holds (id, org_id, conversation_id, reason, created_by_user_id)
         VALUES (gen_random_uuid(), $1, $2, 'r', gen_random_uuid())`,
        [fixture.orgId, held],
      );
      run = fixture.run().finally(() => (isOver = true));
      await eventually(async () => {
        const waiting = await fixture.db.query<object[]>(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(isOver || waiting.length > 0).toBe(true);
      });
    });
    await run;
    expect(await fixture.db.query('SELECT 1 FROM events WHERE conversation_id = $1', [held])).toHaveLength(3);
  });

  it('stay while they are held, with all above and below them', async () => {
    const root = await fixture.store({ days: 100 });
    const child = await fixture.store({ days: 100, parent: root, events: 3 });
    await fixture.store({ days: 100 });
    await fixture.db.query(
      `CREATE OR REPLACE FUNCTION is_held(conversation uuid) RETURNS boolean LANGUAGE sql STABLE AS
       $$SELECT conversation = '${child}'::uuid$$`,
    );
    try {
      await fixture.announcedRun();
      expect((await fixture.listed()).sort()).toEqual([root, child].sort());
      await fixture.keep({ conversations_days: 30, events_days: 30 });
      await fixture.announcedRun();
      const events = await fixture.db.query<object[]>('SELECT id FROM events WHERE conversation_id = $1', [
        child,
      ]);
      expect(events).toHaveLength(3);
    } finally {
      await fixture.db.query(
        'CREATE OR REPLACE FUNCTION is_held(conversation uuid) RETURNS boolean LANGUAGE sql STABLE AS $$SELECT false$$',
      );
    }
    await fixture.run();
    await fixture.run();
    expect(await fixture.listed()).toEqual([]);
  });
});
