import type { FaultPoint } from '../../../src/kernel/leases';
import { Replica } from '../../crash/replica';
import { sendTo } from '../../support/agent-server/agent-server-calls';
import type { Fault } from '../../support/agent-server/agent-server-double';
import { eventually } from '../../support/eventually';
import { QueueFixture, type TestConversation } from '../../support/queue/queue-fixture';
import { QueueReplica } from '../../support/queue/queue-replica';

/** Neither ends while a busy machine pauses. */
const ENV = { JOB_LEASE_SECONDS: '3', DELIVERY_SETTLE_SECONDS: '8' };
const TEXTS = ['yes', 'yes', 'no'];
const LATER = 'queued when nobody lived';

const LOST: Fault = { kind: 'hang', stored: false };
const LOST_RESPONSE: Fault = { kind: 'hang', stored: true };
const RESET: Fault = { kind: 'reset', stored: false };
const RESET_RESPONSE: Fault = { kind: 'reset', stored: true };
const BROKEN: Fault = { kind: 'status', status: 500, stored: false };
const BROKEN_RESPONSE: Fault = { kind: 'status', status: 500, stored: true };
const REFUSED: Fault = { kind: 'status', status: 422, stored: false };
/** After its caller gave up, and within the settling time. */
const LATE: Fault = { kind: 'late', ms: 800 };

/** Where a delivery is when its process is killed. */
interface Case {
  readonly step: FaultPoint;
  /** What the agent server does with the first message of the process that dies. */
  readonly first?: Fault | 'accepts late';
  /** What it does with the next message, of the process that takes over. */
  readonly next?: Fault;
  /** How many messages it has when the process dies. */
  readonly stored: number;
  /** The first message can never arrive: it stands failed in the list. */
  readonly fails?: true;
}

const CASES: readonly Case[] = [
  { step: 'leased', stored: 0 },
  { step: 'marked', stored: 0 },
  { step: 'marked', next: RESET, stored: 0 },
  { step: 'marked', next: RESET_RESPONSE, stored: 0 },
  { step: 'marked', next: BROKEN, stored: 0 },
  { step: 'marked', next: BROKEN_RESPONSE, stored: 0 },
  { step: 'marked', next: LATE, stored: 0 },
  { step: 'written', first: LOST, stored: 0 },
  { step: 'written', first: LOST, next: LATE, stored: 0 },
  { step: 'written', first: LOST_RESPONSE, stored: 1 },
  { step: 'written', first: LOST_RESPONSE, next: RESET, stored: 1 },
  { step: 'written', first: 'accepts late', stored: 0 },
  { step: 'sent', stored: 1 },
  { step: 'sent', next: BROKEN, stored: 1 },
  { step: 'sent', first: RESET, stored: 0 },
  { step: 'sent', first: BROKEN_RESPONSE, stored: 1 },
  { step: 'sent', first: REFUSED, next: REFUSED, stored: 0, fails: true },
  { step: 'recorded', stored: 1 },
  { step: 'recorded', next: RESET_RESPONSE, stored: 1 },
  { step: 'released', stored: 3 },
];

describe('a delivery whose process is killed', () => {
  let fixture: QueueFixture;
  let survivor: QueueReplica | undefined;
  let acceptLate: () => void;
  const conversations: TestConversation[] = [];
  const accepted = new Promise<void>((resolve) => (acceptLate = resolve));

  const nameOf = ({ step, first, next, stored }: Case): string => {
    const describeFault = (fault: Case['first']): string =>
      typeof fault === 'object'
        ? `${fault.kind}${'stored' in fault ? (fault.stored ? ' after storing' : ' before storing') : ''}`
        : String(fault);
    return [
      step,
      ...(first === undefined ? [] : [`agent server: ${describeFault(first)}`]),
      ...(next === undefined ? [] : [`next: ${describeFault(next)}`]),
      `${stored} stored`,
    ].join(', ');
  };

  function fail(conversation: TestConversation, fault: Fault): void {
    fixture.double.fail(fault, sendTo(conversation.id));
  }

  beforeAll(async () => {
    // One that takes messages and delivers none.
    fixture = await QueueFixture.start({ ...ENV, APP_ROLE: 'api' });
    const pausesAt: Record<string, string> = {};
    for (const { step, first } of CASES) {
      const conversation = await fixture.ready();
      conversations.push(conversation);
      for (const text of TEXTS) await fixture.add(conversation.id, text);
      const [queue] = await fixture.replica.db.query<[{ id: string }]>(
        'SELECT id FROM message_queues WHERE conversation_id = $1',
        [conversation.id],
      );
      pausesAt[queue.id] = step;
      if (first !== undefined)
        fail(conversation, first === 'accepts late' ? { kind: 'held', until: accepted } : first);
    }
    const server = fixture.double.target;
    // Nobody hears of a response that does not come before the process dies, and its lease lasts until then.
    const env = { ...ENV, JOB_LEASE_SECONDS: '60', SEND_TIMEOUT_SECONDS: '60' };
    const doomed = new Replica({ databaseUrl: fixture.database.url, server, env, pausesAt });
    await eventually(() => expect(doomed.held.size).toBe(CASES.length), 60_000);
    doomed.kill();
    await doomed.ended;
    await fixture.replica.db.query(
      `UPDATE worker_heartbeats SET lease_until = clock_timestamp() - interval '1 hour'`,
    );
  });

  afterAll(async () => {
    await survivor?.stop();
    await fixture.stop();
  });

  it.each(CASES.map((at, index) => [nameOf(at), at, index] as const))(
    'leaves behind what it had come to: %s',
    (_, { stored }, index) => {
      expect(fixture.arrived(conversations[index]?.id ?? '')).toHaveLength(stored);
    },
  );

  it('is taken over, and every message arrives once and in order', async () => {
    for (const [index, { next }] of CASES.entries()) {
      const conversation = conversations[index];
      if (conversation === undefined) throw new Error('There is no such case.');
      await fixture.add(conversation.id, LATER);
      if (next !== undefined) fail(conversation, next);
    }
    // As if it had died just now, however long the next one takes to start.
    await fixture.replica.db.query(
      `UPDATE message_queues SET claimed_until = now() + interval '3 seconds' WHERE claimed_until IS NOT NULL`,
    );
    survivor = await QueueReplica.start({
      databaseUrl: fixture.database.url,
      sandboxes: fixture.sandboxes,
      env: ENV,
    });
    const late = conversations[CASES.findIndex(({ first }) => first === 'accepts late')];
    await eventually(async () => {
      const [row] = await fixture.replica.db.query<{ settles: boolean }[]>(
        'SELECT next_attempt_at > now() AS settles FROM message_queues WHERE conversation_id = $1',
        [late?.id],
      );
      expect(row?.settles).toBe(true);
    });
    acceptLate();
    for (const [index, at] of CASES.entries()) {
      const { id } = conversations[index] ?? { id: '' };
      const failed = at.fails ? TEXTS.slice(0, 1) : [];
      const expected = [...TEXTS.slice(failed.length), LATER];
      await eventually(
        () => expect([nameOf(at), fixture.arrived(id)]).toEqual([nameOf(at), expected]),
        60_000,
      );
      await eventually(async () => {
        expect(await fixture.list(id, ['delivered'])).toHaveLength(expected.length);
        expect((await fixture.list(id, ['failed'])).map(({ content }) => content[0]?.text)).toEqual(failed);
      });
    }
    // No outcome is unknown and nothing planned any more: this is what stays.
    for (const [index, { fails }] of CASES.entries()) {
      const { id } = conversations[index] ?? { id: '' };
      expect(fixture.arrived(id)).toHaveLength(fails ? TEXTS.length : TEXTS.length + 1);
      expect(await fixture.list(id, ['queued', 'delivering'])).toEqual([]);
      expect(await fixture.list(id, ['failed'])).toHaveLength(fails ? 1 : 0);
    }
  });
});
