import { randomUUID } from 'node:crypto';
import type { ConversationService } from '../../support/service/conversation-service';
import { callTo, lookAt, skillsFor, startOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';

describe('a start whose agent server loses the response', () => {
  let doubled: DoubledService;
  let service: ConversationService;

  beforeAll(async () => {
    // Nothing is done twice because a lease has lapsed on a busy machine.
    doubled = await DoubledService.start({ JOB_LEASE_SECONDS: '120' });
    ({ service } = doubled);
  });
  let id: string;
  beforeEach(() => {
    doubled.double.heal();
    id = randomUUID();
  });
  afterAll(() => doubled.close());

  const withoutCapability = (): void =>
    doubled.double.fail(
      { kind: 'status', status: 404, stored: false },
      callTo('GET', '/server_info'),
      Infinity,
    );
  const ended = async () => service.ended((await service.begin({ conversation_id: id })).id);
  const startCalls = () =>
    doubled.double.arrived(startOf(id)).map(({ body }) => JSON.parse(body) as Record<string, unknown>);

  it.each([true, false])(
    'is repeated at once where calls for one id may come at once (made by the first: %s)',
    async (stored) => {
      doubled.double.fail({ kind: 'reset', stored }, startOf(id));
      const task = await ended();
      expect(task).toMatchObject({ status: 'READY', detail: null });
      const [first, second, ...more] = startCalls();
      expect([first?.conversation_id, task.app_conversation_id]).toEqual([id, id]);
      expect([second, more]).toEqual([first, []]);
      // Neither its sandbox nor its skills were set up again.
      expect(doubled.double.arrived(skillsFor(id))).toHaveLength(1);
    },
  );

  it('is not repeated elsewhere, where the conversation is found', async () => {
    withoutCapability();
    doubled.double.fail({ kind: 'reset', stored: true }, startOf(id));
    expect(await ended()).toMatchObject({ status: 'READY', detail: null });
    expect(startCalls()).toHaveLength(1);
  });

  it('is not repeated elsewhere, where looks fail before one finds the conversation', async () => {
    withoutCapability();
    doubled.double.fail({ kind: 'reset', stored: true }, startOf(id));
    doubled.double.fail({ kind: 'reset', stored: false }, lookAt(id), 2);
    expect(await ended()).toMatchObject({ status: 'READY', detail: null });
    expect(startCalls()).toHaveLength(1);
  });

  it('is repeated elsewhere once the conversation has not been found for 15 s', async () => {
    withoutCapability();
    doubled.double.fail({ kind: 'reset', stored: false }, startOf(id));
    const task = await ended();
    expect(task).toMatchObject({ status: 'READY', detail: null });
    const [isStart, isLook] = [startOf(id), lookAt(id)];
    const order = doubled.double.arrived((call) => isStart(call) || isLook(call)).map(({ method }) => method);
    expect(order.slice(0, 17)).toEqual(['POST', ...Array<string>(15).fill('GET'), 'POST']);
  });
});
