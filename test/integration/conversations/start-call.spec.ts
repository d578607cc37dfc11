import type { ConversationService } from '../../support/service/conversation-service';
import { DoubledService } from '../../support/agent-server/doubled-service';

type DoubleCall = DoubledService['double']['calls'][number];

const isStart = ({ method, path }: Pick<DoubleCall, 'method' | 'path'>): boolean =>
  method === 'POST' && path === '/api/conversations';

describe('a start whose agent server loses the response', () => {
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

  const withoutCapability = (): void =>
    doubled.double.fail(
      { kind: 'status', status: 404, stored: false },
      { times: 1_000, applies: ({ path }) => path === '/server_info' },
    );
  const ended = async () => service.ended((await service.begin({})).id);
  const startCalls = () =>
    doubled.double.calls.filter(isStart).map(({ body }) => JSON.parse(body) as Record<string, unknown>);

  it.each([true, false])(
    'is repeated at once where calls for one id may come at once (made by the first: %s)',
    async (stored) => {
      doubled.double.fail({ kind: 'reset', stored }, { applies: isStart });
      const task = await ended();
      expect(task).toMatchObject({ status: 'READY', detail: null });
      const [first, second, ...more] = startCalls();
      expect(first).toMatchObject({ conversation_id: task.app_conversation_id });
      expect([second, more]).toEqual([first, []]);
      // Neither its sandbox nor its skills were set up again.
      expect(doubled.double.calls.filter(({ path }) => path === '/api/skills')).toHaveLength(1);
    },
  );

  it('is not repeated elsewhere, where the conversation is found', async () => {
    withoutCapability();
    doubled.double.fail({ kind: 'reset', stored: true }, { applies: isStart });
    expect(await ended()).toMatchObject({ status: 'READY', detail: null });
    expect(startCalls()).toHaveLength(1);
  });

  it('is repeated elsewhere once the conversation has not been found for 15 s', async () => {
    withoutCapability();
    doubled.double.fail({ kind: 'reset', stored: false }, { applies: isStart });
    const task = await ended();
    expect(task).toMatchObject({ status: 'READY', detail: null });
    const id = task.app_conversation_id ?? '';
    const calls = doubled.double.calls.filter(
      (call) => isStart(call) || (call.method === 'GET' && call.path === `/api/conversations/${id}`),
    );
    const order = calls.map(({ method }) => method);
    expect(order.slice(0, 17)).toEqual(['POST', ...Array<string>(15).fill('GET'), 'POST']);
  });
});
