import { randomUUID } from 'node:crypto';
import { deletionOf, lookAt, startOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';

const PATIENCE_MS = 30_000;

/** An id that no version of UUID has. */
const ODD_ID = '22222222-2222-0333-0444-555555555555';

describe('a conversation that is deleted', () => {
  let doubled: DoubledService;

  beforeAll(async () => {
    doubled = await DoubledService.start({ MAX_SANDBOXES: '1000', MAX_SANDBOXES_PER_ORG: '1000' });
  });
  afterAll(() => doubled.close());

  const remove = async (id: string): Promise<void> => {
    const response = await doubled.service.call('DELETE', `/api/v1/app-conversations/${id}`);
    expect(response.status).toBe(200);
  };

  const isThere = (id: string): boolean => {
    try {
      return Boolean(doubled.double.conversation(id));
    } catch {
      return false;
    }
  };

  async function expectGone(ids: readonly string[]): Promise<void> {
    await eventually(() => expect(ids.filter(isThere)).toEqual([]), PATIENCE_MS);
    await eventually(async () => {
      const sql = 'SELECT conversation_id FROM conversation_removals WHERE conversation_id = ANY ($1)';
      expect(await doubled.service.app.db.query<unknown[]>(sql, [ids])).toEqual([]);
    }, PATIENCE_MS);
  }

  async function ownSandbox(id: string): Promise<void> {
    await doubled.service.app.db.query('UPDATE conversations SET own_sandbox = true WHERE id = $1', [id]);
  }

  it('is interrupted and deleted at an agent server that serves others, with what is below it', async () => {
    const parent = await doubled.conversation();
    await ownSandbox(parent.id);
    const child = await doubled.conversation({ parent_conversation_id: parent.id });
    const grandchild = await doubled.conversation({ parent_conversation_id: child.id });
    const bystander = await doubled.conversation();
    await remove(parent.id);
    await expectGone([parent.id, child.id, grandchild.id]);
    expect(isThere(bystander.id)).toBe(true);
    const made = doubled.double.calls.filter(
      ({ method, path }) => method !== 'GET' && path.includes(parent.id),
    );
    // Both come again when the lease of the job has lapsed on a busy machine.
    expect([...new Set(made.map(({ method, path }) => `${method} ${path}`))]).toEqual([
      `POST /api/conversations/${parent.id}/interrupt`,
      `DELETE /api/conversations/${parent.id}`,
    ]);
  });

  it('is deleted there whatever its sandbox does, and whatever UUID its id is', async () => {
    const conversations = await Promise.all([
      doubled.conversation({ id: ODD_ID }),
      doubled.conversation({ sandbox: { status: 'PAUSED' } }),
      doubled.conversation({ sandbox: { status: 'ERROR' } }),
    ]);
    const ids = conversations.map(({ id }) => id);
    await Promise.all(ids.map(remove));
    await expectGone(ids);
  });

  it('goes with its sandbox', async () => {
    const { id, sandboxId } = await doubled.conversation();
    expect((await doubled.service.call('DELETE', `/api/v1/sandboxes/${sandboxId}`)).status).toBe(200);
    await expectGone([id]);
  });

  it('is deleted there later when the server is away, also after its job was lost', async () => {
    const { db } = doubled.service.app;
    const { id } = await doubled.conversation();
    const other = await doubled.conversation();
    await Promise.all([id, other.id].map(ownSandbox));
    const restartIdle = (when: string): Promise<unknown> =>
      db.query(
        `SELECT graphile_worker.add_job('idle-removals', payload => '{}'::json, job_key => 'every:idle-removals',
                                        run_at => now() + $1::interval)`,
        [when],
      );
    await restartIdle('1 hour');
    await doubled.double.refuse();
    await Promise.all([id, other.id].map(remove));
    const failed = async (): Promise<unknown[]> =>
      db.query('SELECT 1 FROM graphile_worker.jobs WHERE key = $1 AND attempts > 0 AND locked_at IS NULL', [
        `remove:${id}`,
      ]);
    await eventually(async () => expect(await failed()).toHaveLength(1), PATIENCE_MS);
    await db.query('SELECT graphile_worker.remove_job($1)', [`remove:${id}`]);
    await doubled.double.accept();
    await expectGone([other.id]);
    expect(isThere(id)).toBe(true);
    await restartIdle('0');
    await expectGone([id]);
  });

  it('is gone also when its start, which was under way, makes it afterwards', async () => {
    const id = randomUUID();
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    doubled.double.fail({ kind: 'held', until }, startOf(id), Infinity);
    await doubled.service.begin({ conversation_id: id });
    await eventually(() => expect(doubled.double.arrived(startOf(id))).not.toEqual([]), PATIENCE_MS);
    await remove(id);
    // It is looked for, and is not there yet.
    await eventually(() => expect(doubled.double.arrived(lookAt(id))).not.toEqual([]), PATIENCE_MS);
    release();
    await eventually(() => expect(doubled.double.arrived(deletionOf(id))).not.toEqual([]), PATIENCE_MS);
    await eventually(() => expect(isThere(id)).toBe(false), PATIENCE_MS);
  });

  it('leaves alone what somebody else has there under the id of a start that failed', async () => {
    const { id } = await doubled.conversation({ start_state: 'failed' });
    const { orgId, userId } = doubled.service.owner;
    await doubled.service.app.db.query(
      `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request, deadline_at)
       SELECT gen_random_uuid(), $1, $2, id, sandbox_id, 'ERROR', '{}', now() FROM conversations WHERE id = $3`,
      [orgId, userId, id],
    );
    const looks = (): number => doubled.double.arrived(lookAt(id)).length;
    await remove(id);
    const before = looks();
    // The second time shows that nothing more came of the first.
    await eventually(() => expect(looks()).toBeGreaterThan(before + 1));
    expect(doubled.double.arrived(deletionOf(id))).toEqual([]);
    expect(isThere(id)).toBe(true);
  });
});
