import { randomUUID } from 'node:crypto';
import { JobQueue } from '../../../src/kernel/jobs';
import { SandboxStore } from '../../../src/sandboxes/sandboxes/record/sandbox-store';
import type { ConversationService } from '../../support/service/conversation-service';
import { startOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { saying } from '../../support/queue/queued-messages';

const AT_ONCE = 8;

describe('conversations that are deleted', () => {
  let doubled: DoubledService;
  let service: ConversationService;

  beforeAll(async () => {
    doubled = await DoubledService.start({ MAX_SANDBOXES: '1000', MAX_SANDBOXES_PER_ORG: '1000' });
    ({ service } = doubled);
  });

  afterAll(async () => {
    await doubled.close();
  });

  async function deadlocks(): Promise<number> {
    const [row] = await service.app.db.query<[{ deadlocks: string }]>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row.deadlocks);
  }

  async function deleteAll(ids: readonly string[]): Promise<number[]> {
    const responses = ids.map((id) => service.call('DELETE', `/api/v1/app-conversations/${id}`));
    return (await Promise.all(responses)).map(({ status }) => status);
  }

  const rows = (sql: string, ids: readonly string[]): Promise<unknown[]> =>
    service.app.db.query<unknown[]>(sql, [ids]);

  /** Has calls wait for a row that is locked here, each behind the one before, and lets all of them go. */
  async function inTurn(
    lock: string,
    ids: readonly string[],
    calls: readonly (() => unknown)[],
  ): Promise<void> {
    const runner = service.app.db.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(lock, [ids]);
      for (const [before, call] of calls.entries()) {
        call();
        await eventually(async () => {
          const [row] = await service.app.db.query<[{ waiting: number }]>(
            `SELECT count(*)::int AS waiting FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          expect(row.waiting).toBeGreaterThan(before);
        });
      }
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  /** Starts conversations up to the call that makes them at the agent server. @returns what lets that go on */
  async function almostReady(
    sandboxId: string,
    count: number,
  ): Promise<{ ids: string[]; release: () => void }> {
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const ids = Array.from({ length: count }, () => randomUUID());
    // Also those that are repeated because a lease lapsed on a busy machine.
    for (const id of ids) doubled.double.fail({ kind: 'held', until }, startOf(id), Infinity);
    const request = { sandbox_id: sandboxId, initial_message: saying('Hello') };
    await Promise.all(ids.map((id) => service.begin({ ...request, conversation_id: id })));
    for (const id of ids) await eventually(() => expect(doubled.double.arrived(startOf(id))).not.toEqual([]));
    return { ids, release };
  }

  async function expectGone(ids: readonly string[]): Promise<void> {
    await eventually(async () => {
      expect(
        await rows(
          `SELECT 1 FROM conversations c JOIN start_tasks t ON t.conversation_id = c.id
            WHERE c.id = ANY ($1) AND (c.deleted_at IS NULL OR t.status NOT IN ('READY', 'ERROR'))`,
          ids,
        ),
      ).toEqual([]);
      for (const id of ids) expect(() => doubled.double.conversation(id)).toThrow('has no conversation');
    });
  }

  it('right before they are noted as READY are gone everywhere', async () => {
    const { sandboxId } = await doubled.conversation();
    const { ids, release } = await almostReady(sandboxId, 1);
    const deletions: Promise<number[]>[] = [];
    await inTurn('SELECT 1 FROM message_queues WHERE conversation_id = ANY ($1) FOR UPDATE', ids, [
      () => deletions.push(deleteAll(ids)),
      release,
    ]);
    expect(await Promise.all(deletions)).toEqual([[200]]);
    await expectGone(ids);
    expect(await deadlocks()).toBe(0);
  });

  it('while they become READY are gone everywhere, whoever comes first', async () => {
    const { sandboxId } = await doubled.conversation();
    for (let round = 0; round < 3; round++) {
      const { ids, release } = await almostReady(sandboxId, AT_ONCE);
      release();
      // The starts have their responses to read before they can write.
      await new Promise((resolve) => setTimeout(resolve, 4 * round));
      expect(await deleteAll(ids)).toEqual(ids.map(() => 200));
      await expectGone(ids);
    }
    expect(await deadlocks()).toBe(0);
  });

  it('before a start that died made them at the agent server are gone there, too', async () => {
    const { id, sandboxId } = await doubled.conversation({ deleted_at: new Date() });
    const { orgId, userId } = service.owner;
    await service.app.db.transaction(async (transaction) => {
      const [task] = await transaction.query<[{ id: string }]>(
        `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request, deadline_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, 'ERROR', '{}', now() + interval '1 hour') RETURNING id`,
        [orgId, userId, id, sandboxId],
      );
      // What is left of a run whose worker died is its job.
      await new JobQueue().add(transaction, { name: 'start-conversation', payload: { taskId: task.id } });
    });
    await expectGone([id]);
  });

  it('right before their sandbox runs again take it with them', async () => {
    const { id, sandboxId } = await doubled.conversation({ sandbox: { status: 'PAUSED' } });
    const { orgId, userId } = service.owner;
    await service.app.db.query('UPDATE conversations SET own_sandbox = true WHERE id = $1', [id]);
    await service.app.db.query(
      `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request, deadline_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, 'WORKING', '{}', now() + interval '1 hour')`,
      [orgId, userId, id, sandboxId],
    );
    await service.call('POST', `/api/v1/conversations/${id}/pending-messages`, { body: saying('x') });
    const deletions: Promise<number[]>[] = [];
    const changes: Promise<unknown>[] = [];
    const sandboxes = service.app.app.get(SandboxStore);
    await inTurn(
      'SELECT 1 FROM start_tasks WHERE conversation_id = ANY ($1) FOR UPDATE',
      [id],
      [
        () => deletions.push(deleteAll([id])),
        () => changes.push(sandboxes.change(sandboxId, () => ({ set: { status: 'RUNNING' } }))),
      ],
    );
    expect(await Promise.all(deletions)).toEqual([[200]]);
    await Promise.all(changes);
    await eventually(async () => {
      const sql = `SELECT 1 FROM sandboxes WHERE id = ANY ($1) AND status = 'MISSING'`;
      expect(await rows(sql, [sandboxId])).toHaveLength(1);
    });
    expect(await deadlocks()).toBe(0);
  });

  it('while their sandboxes come and go take their sandboxes with them', async () => {
    for (let round = 0; round < 3; round++) {
      const made = await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const parent = await doubled.conversation({ sandbox: { status: 'PAUSED' } });
          const child = await doubled.conversation({ parent_conversation_id: parent.id });
          await service.app.db.query(
            'UPDATE conversations SET own_sandbox = true, sandbox_id = $2 WHERE id = ANY ($1)',
            [[parent.id, child.id], parent.sandboxId],
          );
          for (const id of [parent.id, child.id])
            await service.call('POST', `/api/v1/conversations/${id}/pending-messages`, { body: saying('x') });
          return { parent: parent.id, child: child.id, sandboxId: parent.sandboxId };
        }),
      );
      const [responses] = await Promise.all([
        deleteAll(made.map(({ parent }) => parent)),
        ...made.map(async ({ sandboxId }) => {
          await service.call('POST', `/api/v1/sandboxes/${sandboxId}/resume`);
          await service.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`);
        }),
      ]);
      expect(responses).toEqual(made.map(() => 200));
      await eventually(async () => {
        expect(
          await rows(
            `SELECT status, stopping FROM sandboxes WHERE id = ANY ($1) AND status <> 'MISSING'`,
            made.map(({ sandboxId }) => sandboxId),
          ),
        ).toEqual([]);
        expect(
          await rows(
            `SELECT m.state FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id
              WHERE q.conversation_id = ANY ($1) AND m.state IN ('queued', 'delivering')`,
            made.flatMap(({ parent, child }) => [parent, child]),
          ),
        ).toEqual([]);
      });
    }
    expect(await deadlocks()).toBe(0);
  });

  it('by two calls at once take the sandbox they share with them', async () => {
    for (let round = 0; round < 3; round++) {
      const shared = await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const first = await doubled.conversation();
          const second = await doubled.conversation();
          await service.app.db.query(
            'UPDATE conversations SET own_sandbox = true, sandbox_id = $2 WHERE id = ANY ($1)',
            [[first.id, second.id], first.sandboxId],
          );
          return { ids: [first.id, second.id], sandboxId: first.sandboxId };
        }),
      );
      expect(new Set(await deleteAll(shared.flatMap(({ ids }) => ids)))).toEqual(new Set([200]));
      await eventually(async () =>
        expect(
          await rows(
            `SELECT id FROM sandboxes WHERE id = ANY ($1) AND status <> 'MISSING'`,
            shared.map(({ sandboxId }) => sandboxId),
          ),
        ).toEqual([]),
      );
    }
  });

  it('take along a conversation that is started below them at that moment, or refuse it', async () => {
    for (let round = 0; round < 3; round++) {
      const parents = await Promise.all(Array.from({ length: AT_ONCE }, () => doubled.conversation()));
      const ids = parents.map(({ id }) => id);
      const [deleted, ...started] = await Promise.all([
        deleteAll(ids),
        ...parents.map(({ id, sandboxId }) =>
          service.call('POST', '/api/v1/app-conversations', {
            body: { parent_conversation_id: id, sandbox_id: sandboxId },
          }),
        ),
      ]);
      expect(deleted).toEqual(ids.map(() => 200));
      for (const { status } of started) expect([200, 404]).toContain(status);
      expect(
        await rows(
          'SELECT id FROM conversations WHERE parent_conversation_id = ANY ($1) AND deleted_at IS NULL',
          ids,
        ),
      ).toEqual([]);
    }
  });
});
