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
    doubled = await DoubledService.start();
    ({ service } = doubled);
  });
  beforeEach(() => {
    doubled.double.heal();
    doubled.double.calls.length = 0;
  });
  afterAll(() => doubled.close());

  const content = [{ type: 'text', text: 'now' }];
  const runs = (id: string) =>
    doubled.double.calls.filter(({ path }) => path === `/api/conversations/${id}/run`).length;

  it.each([
    ['sent', (id: string) => `/api/v1/app-conversations/${id}/send-message`],
    ['queued', (id: string) => `/api/v1/conversations/${id}/pending-messages`],
  ])('gets a %s message once, and is asked until it runs the agent', async (_kind, pathOf) => {
    const { id } = await doubled.conversation();
    const busy = { kind: 'status', status: 429 } as const;
    doubled.double.fail({ ...busy, stored: true, detail: SAVED });
    doubled.double.fail(
      { ...busy, stored: false },
      { applies: ({ path }) => path === `/api/conversations/${id}/run` },
    );
    expect((await service.call('POST', pathOf(id), { body: { content } })).status).toBe(200);
    await eventually(() => expect(runs(id)).toBe(2));
    await eventually(async () => {
      const [{ left } = { left: 1 }] = await service.app.db.query<{ left: number }[]>(
        `SELECT count(*)::int AS left FROM pending_messages WHERE queue_id = $1`,
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
      const isRun = ({ path }: { path: string }): boolean => path.endsWith('/run');
      double.fail(saved, { times: HANGING, applies: ({ path }) => path.endsWith('/events') });
      double.fail({ kind: 'hang', stored: false }, { times: HANGING, applies: isRun });
      other.fail(saved);
      const send = async (id: string): Promise<void> => {
        const path = `/api/v1/app-conversations/${id}/send-message`;
        expect((await service.call('POST', path, { body: { content } })).status).toBe(200);
      };
      for (let n = 0; n < HANGING; n++) await send((await doubled.conversation()).id);
      await eventually(() => expect(double.calls.filter(isRun)).toHaveLength(1));
      const { id } = await doubled.conversation({ sandbox: { baseUrl: other.url } });
      other.addConversation(id);
      await send(id);
      await eventually(() => expect(other.calls.filter(isRun)).toHaveLength(1), 15_000);
      expect(double.calls.filter(isRun)).toHaveLength(1);
    } finally {
      await service.app.db.query(`UPDATE sandboxes SET status = 'MISSING'`);
      await other.stop();
    }
  });

  it('is asked again for a conversation until it takes it', async () => {
    doubled.double.fail(
      { kind: 'status', status: 429, stored: false },
      { times: 2, applies: ({ method, path }) => method === 'POST' && path === '/api/conversations' },
    );
    expect(await service.ended((await service.begin({})).id)).toMatchObject({
      status: 'READY',
      detail: null,
    });
  });
});
