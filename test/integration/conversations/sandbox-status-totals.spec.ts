import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { rebuildConversationCounts } from '../../../src/conversations/conversations/org-list/counters/counter-rebuild';
import { listCondition } from '../../../src/conversations/conversations/org-list/list/list-condition.read-model';
import { OrgConversationsQuery } from '../../../src/conversations/conversations/org-list/list/org-conversations.dto';
import {
  statusPage,
  statusTotal,
} from '../../../src/conversations/conversations/org-list/list/status-page.read-model';
import { rowId, WrittenDatabase } from '../../support/database/written-database';
import { rounds } from '../../support/rounds';

const STATUSES = ['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING'] as const;

/** One change by one writer, of one of its conversations or of a sandbox that all share; several may be in one transaction. */
const change = fc.record({
  kind: fc.constantFrom(
    'insert',
    'insert',
    'insert',
    'start',
    'put',
    'move',
    'parent',
    'created',
    'forget',
    'restore',
    'delete',
    'title',
    'sandbox',
    'sandbox',
    'status',
    'status',
    'stop',
    'gone',
    'elsewhere',
  ),
  row: fc.nat({ max: 12 }),
  sandbox: fc.option(fc.nat({ max: 4 })),
  org: fc.nat({ max: 1 }),
  status: fc.constantFrom(...STATUSES),
  stopping: fc.constantFrom('pause', 'delete', null),
  state: fc.constantFrom('starting', 'ready', 'failed'),
  day: fc.nat({ max: 3 }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
const work = fc.array(
  fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 3 }), commits: fc.boolean() }),
  { minLength: 5, maxLength: 20 },
);

/** What a list of one status is, over the rows themselves. */
const PLAIN = `
  SELECT c.id FROM conversations c LEFT JOIN sandboxes s ON s.id = c.sandbox_id
   WHERE c.org_id = $1 AND c.deleted_at IS NULL AND ($3 OR c.parent_conversation_id IS NULL)
     AND $2 = CASE
       WHEN s.id IS NULL THEN CASE WHEN c.sandbox_id IS NOT NULL THEN 'MISSING'
                                   WHEN c.start_state = 'failed' THEN 'ERROR' ELSE 'STARTING' END
       WHEN c.start_state = 'starting' AND s.status IN ('RUNNING', 'PAUSED') THEN 'STARTING'
       WHEN s.stopping IS NOT NULL THEN 'PAUSED' ELSE s.status END`;

describe('the conversations of a status of sandboxes', () => {
  let base: WrittenDatabase;
  let admin: Client;
  let dataSource: DataSource;
  const user = randomUUID();
  const orgs = [randomUUID(), randomUUID()];

  const connect = (): Promise<Client> => base.connect();

  beforeAll(async () => {
    base = await WrittenDatabase.start({ users: [user], orgs });
    admin = await connect();
    ({ dataSource } = base);
  });
  afterAll(() => base.stop());
  beforeEach(() => admin.query('TRUNCATE conversations, sandboxes CASCADE'));

  const sandboxOf = (row: number | null): string | null => (row === null ? null : rowId(9, row));

  function apply(client: Client, writer: number, c: Change): Promise<unknown> {
    const id = rowId(writer, c.row);
    const sandbox = rowId(9, c.sandbox ?? writer);
    const day = `2026-01-0${c.day + 1}T12:00:00Z`;
    const set = (assignment: string, ...values: unknown[]): Promise<unknown> =>
      client.query(`UPDATE conversations SET ${assignment} WHERE id = $1`, [id, ...values]);
    const setOfSandbox = (assignment: string, ...values: unknown[]): Promise<unknown> =>
      client.query(`UPDATE sandboxes SET ${assignment} WHERE id = $1`, [sandbox, ...values]);
    switch (c.kind) {
      case 'insert':
        return client.query(
          `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, sandbox_id, created_at,
                                      parent_conversation_id, title)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
          [
            ...[id, orgs[c.org], user, c.state, sandboxOf(c.sandbox), day],
            c.day === 0 ? randomUUID() : null,
            c.day === 1 ? null : `Title ${c.row % 3}`,
          ],
        );
      case 'start':
        return set('start_state = $2', c.state);
      case 'put':
        return set('sandbox_id = $2', sandboxOf(c.sandbox));
      case 'move':
        return set('org_id = $2', orgs[c.org]);
      case 'parent':
        return set('parent_conversation_id = $2', c.day === 0 ? null : randomUUID());
      case 'created':
        return set('created_at = $2', day);
      case 'forget':
        return set('deleted_at = now()');
      case 'restore':
        return set('deleted_at = NULL');
      case 'delete':
        return client.query('DELETE FROM conversations WHERE id = $1', [id]);
      case 'sandbox':
        return client.query(
          `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, stopping, last_activity_at)
           VALUES ($1, $2, $3, 'embedded', $4, $5, now()) ON CONFLICT DO NOTHING`,
          [sandbox, orgs[0], user, c.status, c.stopping],
        );
      case 'status':
        return setOfSandbox('status = $2', c.status);
      case 'stop':
        return setOfSandbox('stopping = $2', c.stopping);
      case 'gone':
        return client.query('DELETE FROM sandboxes WHERE id = $1', [sandbox]);
      case 'elsewhere':
        return setOfSandbox('org_id = $2', orgs[c.org]);
      default:
        return set('title = $2, updated_at = now()', `Title ${c.day}`);
    }
  }

  /** Compares all statuses of all organizations in one snapshot, so that it may be called while others write. */
  async function compare(client: Client): Promise<void> {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    for (const org of orgs)
      for (const sandbox_status of STATUSES)
        for (const include_sub_conversations of [false, true]) {
          const query = Object.assign(new OrgConversationsQuery(), {
            sandbox_status,
            include_sub_conversations,
            accurate_totals: true,
            sort_by: 'created_at',
          });
          const condition = listCondition(org, query, new Date(), true);
          const plain = await client.query<{ id: string }>(`${PLAIN} ORDER BY c.created_at DESC, c.id DESC`, [
            org,
            sandbox_status,
            include_sub_conversations,
          ]);
          const total = await client.query(statusTotal(condition, query), [...condition.parameters]);
          expect(total.rows).toEqual([{ total: plain.rows.length }]);
          const { sql, parameters } = statusPage('rows', condition, query, { offset: 2, limit: 5 });
          const page = await client.query<{ id: string }>(sql, [...parameters]);
          expect(page.rows.map(({ id }) => id)).toEqual(plain.rows.map(({ id }) => id).slice(2, 7));
        }
    await client.query('COMMIT');
  }

  it('are exact at every moment while several write, move, delete and roll back, and some fold and rebuild', async () => {
    const writers = await Promise.all([connect(), connect(), connect()]);
    const folder = await connect();
    await fc.assert(
      fc.asyncProperty(fc.tuple(work, work, work), async (plans) => {
        const state = { writing: true };
        const written = Promise.all(
          writers.map(async (client, writer) => {
            for (const { changes, commits } of plans[writer] ?? []) {
              await client.query('BEGIN');
              try {
                for (const one of changes) await apply(client, writer, one);
                await client.query(commits ? 'COMMIT' : 'ROLLBACK');
              } catch (error) {
                // Writers of the same sandboxes in different orders may wait for each other.
                await client.query('ROLLBACK');
                if (!(error instanceof Error && 'code' in error && error.code === '40P01')) throw error;
              }
            }
          }),
        ).finally(() => {
          state.writing = false;
        });
        const folded = (async () => {
          for (let size = 1; state.writing; size = (size % 7) + 1)
            await folder.query('SELECT conversation_sandbox_fold($1)', [size]);
        })();
        const rebuilt = rebuildConversationCounts(dataSource);
        while (state.writing) await compare(admin);
        await Promise.all([written, folded, rebuilt]);
        await compare(admin);
        await folder.query('SELECT conversation_sandbox_fold(100000)');
        await compare(admin);
        expect((await admin.query('SELECT 1 FROM conversation_sandbox_changes')).rows).toEqual([]);
      }),
      { numRuns: rounds(10, 4) },
    );
  });

  it('are found in every order, few or many, near the beginning of an index or far from it', async () => {
    await admin.query(
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at)
       SELECT md5('sandbox ' || n)::uuid, $1, $2, 'embedded', CASE WHEN n % 4 = 0 THEN 'RUNNING' ELSE 'PAUSED' END, now()
         FROM generate_series(1, 80) n`,
      [orgs[0], user],
    );
    await admin.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, sandbox_id, title, llm_model,
                                  accumulated_cost, updated_at)
       SELECT md5('conversation ' || n)::uuid, $1, $2, 'ready', md5('sandbox ' || n)::uuid,
              CASE WHEN n % 3 > 0 THEN 'Title ' || n % 7 END, CASE WHEN n % 5 > 0 THEN 'model-' || n % 4 END, n % 11,
              now() - interval '1 minute' * (n % 9)
         FROM generate_series(1, 120) n`,
      [orgs[0], user],
    );
    await admin.query('SELECT conversation_sandbox_fold(100000)');
    await admin.query(`UPDATE sandboxes SET status = 'RUNNING' WHERE id = md5('sandbox 7')::uuid`);
    const keys = {
      created_at: 'c.created_at',
      updated_at: 'c.updated_at',
      accumulated_cost: 'c.accumulated_cost',
      llm_model: 'c.llm_model COLLATE "C"',
      title: 'lower(c.title) COLLATE "C"',
    } as const;
    for (const sort_by of ['created_at', 'updated_at', 'accumulated_cost', 'llm_model', 'title'] as const)
      for (const sort_order of ['asc', 'desc'] as const)
        for (const sandbox_status of ['RUNNING', 'PAUSED', 'MISSING'] as const)
          for (const [few, walked] of [
            [1_000, 1_000],
            [0, 1_000],
            [0, 30],
          ] as const) {
            const given = { sort_by, sort_order, sandbox_status, accurate_totals: true };
            const query = Object.assign(new OrgConversationsQuery(), given);
            const condition = listCondition(orgs[0] ?? '', query, new Date(), true);
            const plain = await admin.query<{ id: string }>(
              `${PLAIN} ORDER BY ${keys[sort_by]} ${sort_order} NULLS LAST, c.id ${sort_order}`,
              [orgs[0], sandbox_status, false],
            );
            for (const offset of [0, 10, 70]) {
              const window = { offset, limit: 10 };
              const { sql, parameters } = statusPage('rows', condition, query, window, { few, walked });
              const { rows } = await admin.query<{ id: string }>(sql, [...parameters]);
              const expected = plain.rows.slice(offset, offset + 10);
              expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
            }
          }
  });
});
