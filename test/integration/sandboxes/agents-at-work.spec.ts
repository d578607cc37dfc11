import { hexOf, newId } from '../../../src/kernel/common';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { call } from '../../support/service/http';

const PATIENCE_MS = 60_000;

describe('an agent at work', () => {
  let doubled: DoubledService;

  beforeAll(async () => (doubled = await DoubledService.start()));
  afterAll(() => doubled.close());

  const made = async (reported: string, actual: 'running' | 'idle') => {
    const conversation = await doubled.conversation({ execution_status: reported });
    doubled.double.conversation(conversation.id).status = actual;
    return conversation.sandboxId;
  };

  const setUnused = (sandboxIds: readonly string[]): Promise<unknown> =>
    doubled.service.app.db.query(`UPDATE sandboxes SET last_activity_at = '2020-01-01' WHERE id = ANY ($1)`, [
      sandboxIds,
    ]);

  async function state(sandboxId: string): Promise<{ status: string; recent: boolean }> {
    const [row] = await doubled.service.app.db.query<[{ status: string; recent: boolean }]>(
      `SELECT status, last_activity_at > now() - interval '1 minute' AS recent FROM sandboxes WHERE id = $1`,
      [sandboxId],
    );
    return row;
  }

  async function report(conversationId: string): Promise<void> {
    const response = await call(
      doubled.service.app,
      'POST',
      `/api/v1/webhooks/events/${hexOf(conversationId)}`,
      {
        headers: { 'X-Session-API-Key': doubled.double.target.apiKey },
        body: [{ id: newId(), kind: 'ActionEvent', source: 'agent', timestamp: new Date().toISOString() }],
      },
    );
    expect(response.status).toBe(200);
  }

  it('keeps its sandbox from being idle, however long its tool runs', async () => {
    const working = await made('running', 'running');
    const resting = await made('idle', 'idle');
    const stopped = await made('running', 'idle');
    await setUnused([working, resting, stopped]);
    await eventually(async () => {
      expect(await state(working)).toEqual({ status: 'RUNNING', recent: true });
      expect((await state(resting)).status).toBe('PAUSED');
      // Nobody heard that it stopped; its server says so.
      expect((await state(stopped)).status).toBe('PAUSED');
    }, PATIENCE_MS);
  });

  it('uses its sandbox with what it reports, which is written down once in a while', async () => {
    const { id, sandboxId } = await doubled.conversation();
    const other = await doubled.conversation();
    await setUnused([sandboxId, other.sandboxId]);
    await report(id);
    await eventually(async () => expect((await state(sandboxId)).recent).toBe(true));
    await setUnused([sandboxId]);
    await report(id);
    await report(other.id);
    await eventually(async () => expect((await state(other.sandboxId)).recent).toBe(true));
    expect((await state(sandboxId)).recent).toBe(false);
  });
});
