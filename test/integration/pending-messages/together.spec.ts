import { Client } from 'pg';
import { eventually } from '../../support/eventually';
import { QueueFixture } from '../../support/queue/queue-fixture';

describe('queues of many conversations', () => {
  let fixture: QueueFixture;
  /** Deliveries go on behind their sending once it is opened. */
  let gate: { readonly opened: Promise<void>; readonly open: () => void };
  let sent: number;

  const closeGate = (): void => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    gate = { opened, open };
    sent = 0;
  };

  beforeAll(async () => {
    fixture = await QueueFixture.start({ JOB_LEASE_SECONDS: '6' }, {}, (step) => {
      if (step !== 'sent') return undefined;
      sent++;
      return gate.opened;
    });
  });
  beforeEach(closeGate);
  afterEach(() => gate.open());
  afterAll(() => fixture.stop());

  const conversations = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await fixture.ready()).id);
    return ids;
  };

  const states = async (id: string): Promise<readonly string[]> =>
    (await fixture.list(id)).map(({ state }) => state);

  /** Runs something while the queue of a conversation is locked. */
  const whileLocked = (id: string, work: () => Promise<void>): Promise<void> =>
    fixture.replica.inTransaction(async (transaction) => {
      await transaction.query('SELECT 1 FROM message_queues WHERE conversation_id = $1 FOR UPDATE', [id]);
      await work();
    });

  it('take what comes at once by few statements, and record what is delivered at once by few', async () => {
    const ids = await conversations(20);
    const query = jest.spyOn(Client.prototype, 'query');
    await Promise.all(ids.map((id) => fixture.add(id, 'first')));
    await Promise.all(ids.map((id) => fixture.add(id, 'second')));
    await eventually(() => expect(sent).toBe(20));
    gate.open();
    for (const id of ids)
      await eventually(async () => expect(await states(id)).toEqual(['delivered', 'delivered']));
    const names = query.mock.calls.map(([config]: unknown[]) => JSON.stringify(config));
    query.mockRestore();
    const countOf = (name: string): number =>
      names.filter((text) => text.includes(`"name":"${name}"`)).length;
    for (const id of ids) expect(fixture.arrived(id)).toEqual(['first', 'second']);
    // While leases are renewed, which locks all queues of a replica for a moment, those of one statement go alone.
    expect(countOf('queue-message')).toBeLessThan(20);
    expect(countOf('queue-messages')).toBeLessThan(20);
    expect(countOf('messages-delivered') + countOf('message-delivered')).toBeLessThan(30);
  });

  it('do not wait for one that is locked, neither to take messages nor to record deliveries', async () => {
    const [first = '', locked = '', other = ''] = await conversations(3);
    await Promise.all([first, locked, other].map((id) => fixture.add(id, 'first')));
    await eventually(() => expect(sent).toBe(3));
    let added: Promise<string> | undefined;
    await whileLocked(locked, async () => {
      const others = [fixture.add(first, 'second'), fixture.add(other, 'second')];
      added = fixture.add(locked, 'second');
      await Promise.all(others);
      await fixture.add(other, 'third');
      gate.open();
      await eventually(async () =>
        expect(await states(other)).toEqual(['delivered', 'delivered', 'delivered']),
      );
      await eventually(async () => expect(await states(first)).toEqual(['delivered', 'delivered']));
      expect(await states(locked)).toEqual(['delivering']);
    });
    await added;
    await eventually(async () => expect(await states(locked)).toEqual(['delivered', 'delivered']));
    expect(fixture.arrived(locked)).toEqual(['first', 'second']);
    expect(fixture.arrived(other)).toEqual(['first', 'second', 'third']);
  });
});
