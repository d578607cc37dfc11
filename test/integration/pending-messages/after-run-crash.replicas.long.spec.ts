import { Replica } from '../../crash/replica';
import { lookAt } from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { QueueFixture, type TestConversation } from '../../support/queue/queue-fixture';
import { QueueReplica } from '../../support/queue/queue-replica';

const ENV = { JOB_LEASE_SECONDS: '1', DELIVERY_SETTLE_SECONDS: '1' };

describe('a queue that waits for the end of a run', () => {
  let fixture: QueueFixture;
  const replicas: { stop(): Promise<void> }[] = [];
  // One that takes messages and delivers none.
  beforeAll(async () => (fixture = await QueueFixture.start({ ...ENV, APP_ROLE: 'api' })));
  afterEach(async () => {
    fixture.double.heal();
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
  });
  afterAll(() => fixture.stop());

  const setStatus = ({ id }: TestConversation, status: 'running' | 'idle'): void => {
    fixture.double.conversation(id).status = status;
  };

  async function queueOf({ id }: TestConversation) {
    const [queue] = await fixture.replica.db.query<[{ id: string; is_leased: boolean; waits: boolean }]>(
      `SELECT id, claimed_until IS NOT NULL AS is_leased, next_attempt_at > now() AS waits
         FROM message_queues WHERE conversation_id = $1`,
      [id],
    );
    return queue;
  }

  async function doomed(pausesAt: Readonly<Record<string, string>> = {}): Promise<Replica> {
    const server = fixture.double.target;
    const replica = new Replica({ databaseUrl: fixture.database.url, server, env: ENV, pausesAt });
    await replica.ready;
    return replica;
  }

  async function killed(replica: Replica): Promise<void> {
    replica.kill();
    await replica.ended;
  }

  async function survive(): Promise<void> {
    const { database, sandboxes } = fixture;
    replicas.push(await QueueReplica.start({ databaseUrl: database.url, sandboxes, env: ENV }));
  }

  /** A conversation whose agent runs, and whose messages wait for that. */
  async function waiting(): Promise<TestConversation> {
    const conversation = await fixture.ready();
    setStatus(conversation, 'running');
    await fixture.add(conversation.id, 'first', 'after_run');
    await fixture.add(conversation.id, 'second');
    return conversation;
  }

  const arrivesOnce = async ({ id }: TestConversation): Promise<void> => {
    await eventually(() => expect(fixture.arrived(id)).toEqual(['first', 'second']), 60_000);
    await eventually(async () => expect(await fixture.list(id, ['delivered'])).toHaveLength(2));
    expect(fixture.arrived(id)).toEqual(['first', 'second']);
  };

  it('loses nothing when its process is killed while it waits, and the run ends before another one comes', async () => {
    const conversation = await waiting();
    const replica = await doomed();
    await eventually(async () =>
      expect(await queueOf(conversation)).toMatchObject({ is_leased: false, waits: true }),
    );
    await killed(replica);
    setStatus(conversation, 'idle');
    expect(fixture.arrived(conversation.id)).toEqual([]);
    await survive();
    await arrivesOnce(conversation);
  });

  it('loses nothing when its process is killed while it asks for the run', async () => {
    const conversation = await waiting();
    let answer: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (answer = resolve));
    const asks = lookAt(conversation.id);
    fixture.double.fail({ kind: 'held', until }, asks);
    const replica = await doomed();
    await eventually(() => expect(fixture.double.arrived(asks)).not.toEqual([]));
    expect(await queueOf(conversation)).toMatchObject({ is_leased: true });
    await killed(replica);
    answer();
    setStatus(conversation, 'idle');
    await survive();
    await arrivesOnce(conversation);
  });

  it('sends a message whose process was killed as it began once, and only when the agent rests again', async () => {
    const conversation = await waiting();
    setStatus(conversation, 'idle');
    const { id } = await queueOf(conversation);
    const replica = await doomed({ [id]: 'marked' });
    await eventually(() => expect(replica.held.size).toBe(1));
    await killed(replica);
    setStatus(conversation, 'running');
    await survive();
    await eventually(async () =>
      expect(await queueOf(conversation)).toMatchObject({ is_leased: false, waits: true }),
    );
    expect(fixture.arrived(conversation.id)).toEqual([]);
    setStatus(conversation, 'idle');
    await arrivesOnce(conversation);
  });
});
