import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { isStart, startOf } from '../../support/agent-server/agent-server-calls';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { startTestApp, type TestApp } from '../../support/service/app';
import type { StartTask } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';
import { call } from '../../support/service/http';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { ServiceProcess } from '../../support/service/service-process';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

const LEASE_SECONDS = 2;
/** Lease, margin, the next heartbeat of another worker, the next poll; what a lease this short leaves is for the machine. */
const RECOVERY_MS = 15_000;
const PATIENCE_MS = 30_000;

describe('starts whose service is stopped for longer than its lease', () => {
  const key = newKey();
  let folder: string;
  let database: TestDatabase;
  let double: AgentServerDouble;
  let paused: ServiceProcess;
  let other: TestApp | undefined;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'starts-'));
    [database, double] = await Promise.all([createTestDatabase(), AgentServerDouble.start({ folder })]);
    env = {
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: double.url,
      AGENT_SERVER_API_KEY: double.target.apiKey,
      LLM_MODEL: 'echo',
      JOB_LEASE_SECONDS: String(LEASE_SECONDS),
      DELIVERY_SETTLE_SECONDS: '1',
    };
    paused = ServiceProcess.start({ ...env, BOOTSTRAP_KEY: key });
    await paused.ready;
  });

  afterAll(async () => {
    paused.child.kill('SIGCONT');
    await paused.discard();
    await other?.close();
    await double.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are taken over within 15 s (by the default lease), and not touched by it when it wakes up', async () => {
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const ids = [randomUUID(), randomUUID()];
    const startsAt = (): string[] =>
      double
        .arrived(isStart)
        .map(({ body }) => (JSON.parse(body) as { conversation_id: string }).conversation_id);
    let isStopped = false;
    // Also those that are repeated because a lease has lapsed on a busy machine.
    for (const isMeant of ids.map(startOf))
      double.fail({ kind: 'held', until }, (call) => !isStopped && isMeant(call), Infinity);
    const url = await paused.ready;
    const tasks: StartTask[] = [];
    for (const conversation_id of ids) {
      const body = { conversation_id, initial_message: { content: [{ type: 'text', text: 'Once' }] } };
      tasks.push((await call<StartTask>({ url }, 'POST', '/api/v1/app-conversations', { key, body })).body);
    }
    await eventually(() => expect(new Set(startsAt())).toEqual(new Set(ids)), PATIENCE_MS);

    const stoppedAt = awakeMs();
    paused.child.kill('SIGSTOP');
    isStopped = true;
    const before = startsAt().length;
    // Only now: on a busy machine it would take over, and be held up, as soon as a lease lapses.
    other = await startTestApp({ env, database });
    const { db } = other;
    await eventually(() => expect(new Set(startsAt().slice(before))).toEqual(new Set(ids)));
    // A stop is no sooner noticed than the last heartbeat before it ends.
    expect(awakeMs() - stoppedAt).toBeLessThan(timeBound(RECOVERY_MS));
    const rows = () =>
      db.query<{ id: string; status: string; fence: string; updated_at: Date }[]>(
        'SELECT id, status, fence, updated_at FROM start_tasks WHERE id = ANY ($1) ORDER BY id',
        [tasks.map(({ id }) => id)],
      );
    await eventually(async () =>
      expect((await rows()).map(({ status }) => status)).toEqual(['READY', 'READY']),
    );
    const ready = await rows();
    for (const id of ids)
      await eventually(() => expect(double.messages(id).map(({ text }) => text)).toEqual(['Once']));

    // It wakes up in the middle of its calls, whose responses come now.
    paused.child.kill('SIGCONT');
    release();
    await eventually(() => expect(paused.output + paused.errors).toContain('declared dead'));
    // It is at work again: another start may be its own.
    const next = await call<StartTask>({ url }, 'POST', '/api/v1/app-conversations', { key, body: {} });
    await eventually(async () => {
      const path = `/api/v1/app-conversations/start-tasks?ids=${next.body.id}`;
      const [task] = (await call<StartTask[]>({ url }, 'GET', path, { key })).body;
      expect(task?.status).toBe('READY');
    }, PATIENCE_MS);
    expect(await rows()).toEqual(ready);
    for (const id of ids) expect(double.messages(id).map(({ text }) => text)).toEqual(['Once']);
  });
});
