import { randomUUID } from 'node:crypto';
import { runOf, sendTo, startOf } from '../../support/agent-server/agent-server-calls';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import type { ConversationService } from '../../support/service/conversation-service';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';

/** More than a worker runs at once. */
const HANGING = 24;

const SAVED = 'Message saved, but the conversation run limit was reached. Retry /run without resending it.';

describe('an agent server that runs as many agents as it may', () => {
  let doubled: DoubledService;
  let service: ConversationService;

  beforeAll(async () => {
    // Nothing is done twice because a lease has lapsed on a busy machine.
    doubled = await DoubledService.start({ JOB_LEASE_SECONDS: '20' });
    ({ service } = doubled);
  });
  beforeEach(() => doubled.double.heal());
  afterAll(() => doubled.close());

  const content = [{ type: 'text', text: 'now' }];
  const runs = (id: string) => doubled.double.arrived(runOf(id)).length;

  it.each([
    ['sent', (id: string) => `/api/v1/app-conversations/${id}/send-message`],
    ['queued', (id: string) => `/api/v1/conversations/${id}/pending-messages`],
  ])('gets a %s message once, and is asked until it runs the agent', async (_kind, pathOf) => {
    const { id } = await doubled.conversation();
    const busy = { kind: 'status', status: 429 } as const;
    doubled.double.fail({ ...busy, stored: true, detail: SAVED }, sendTo(id));
    doubled.double.fail({ ...busy, stored: false }, runOf(id));
    expect((await service.call('POST', pathOf(id), { body: { content } })).status).toBe(200);
    await eventually(() => expect(runs(id)).toBe(2));
    await eventually(async () => {
      const [{ left } = { left: 1 }] = await service.app.db.query<{ left: number }[]>(
        `SELECT count(*)::int AS left FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id
          WHERE q.conversation_id = $1 AND m.state IN ('queued', 'delivering')`,
        [id],
      );
      expect(left).toBe(0);
    });
    expect(doubled.double.messages(id).map(({ text }) => text)).toEqual(['now']);
    expect(runs(id)).toBe(2);
  });

  it('takes one worker’s place if it hangs, however many agents are to run', async () => {
    const { double } = doubled;
    const other = await AgentServerDouble.start();
    try {
      const saved = { kind: 'status', status: 429, stored: true, detail: SAVED } as const;
      const hanging = Array.from({ length: HANGING }, () => randomUUID());
      for (const id of hanging) {
        double.fail(saved, sendTo(id));
        double.fail({ kind: 'hang', stored: false }, runOf(id), Infinity);
      }
      const hangingRuns = (): number => hanging.reduce((sum, id) => sum + runs(id), 0);
      const send = async (id: string): Promise<void> => {
        const path = `/api/v1/app-conversations/${id}/send-message`;
        expect((await service.call('POST', path, { body: { content } })).status).toBe(200);
      };
      for (const id of hanging) await send((await doubled.conversation({ id })).id);
      await eventually(() => expect(hangingRuns()).toBe(1));
      const { id } = await doubled.conversation({ sandbox: { baseUrl: other.url } });
      other.addConversation(id);
      other.fail(saved, sendTo(id));
      await send(id);
      await eventually(() => expect(other.arrived(runOf(id))).toHaveLength(1));
      expect(hangingRuns()).toBe(1);
    } finally {
      await service.app.db.query(`UPDATE sandboxes SET status = 'MISSING'`);
      await other.stop();
    }
  });

  it('is asked again for a conversation until it takes it', async () => {
    const id = randomUUID();
    doubled.double.fail({ kind: 'status', status: 429, stored: false }, startOf(id), 2);
    expect(await service.ended((await service.begin({ conversation_id: id })).id)).toMatchObject({
      status: 'READY',
      detail: null,
    });
  });
});
