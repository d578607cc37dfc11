import type { StoppedMessages } from '../../../src/conversations/conversations';
import type { FaultPoint } from '../../../src/kernel/leases';
import { sendOf } from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { QueueFixture } from '../../support/queue/queue-fixture';

const REFUSED = { kind: 'status', status: 409, stored: false } as const;

describe('a queue that is stopped', () => {
  let fixture: QueueFixture;
  let atPoint: (point: FaultPoint) => Promise<void> | void = () => undefined;
  beforeAll(async () => {
    fixture = await QueueFixture.start({}, {}, (point) => atPoint(point));
  });
  afterEach(() => {
    atPoint = () => undefined;
    fixture.double.heal();
  });
  afterAll(() => fixture.stop());

  /** Holds deliveries at a point, until it is let go. */
  function holdAt(held: FaultPoint): { readonly reached: Promise<void>; readonly letGo: () => void } {
    let letGo: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (letGo = resolve));
    const reached = new Promise<void>((resolve) => {
      atPoint = (point) => {
        if (point !== held) return undefined;
        resolve();
        return until;
      };
    });
    return { reached, letGo };
  }

  const stop = (id: string): Promise<StoppedMessages> =>
    fixture.replica.inTransaction((transaction) => fixture.replica.queue.stop(transaction, id, 'Enough.'));
  const endOf = async (id: string, message: string): Promise<readonly [string, string | null]> => {
    const { state, last_error } = await fixture.message(id, message);
    return [state, last_error];
  };
  const waitingForLocks = async (): Promise<number> => {
    const [{ count }] = await fixture.replica.db.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return count;
  };

  it('has a message fail that was refused meanwhile, says no more than that, and pauses for nobody', async () => {
    const { id } = await fixture.ready();
    fixture.double.fail(REFUSED, sendOf(id, 'refused'), Infinity);
    const sent = holdAt('sent');
    const message = await fixture.add(id, 'refused');
    await sent.reached;
    expect(await stop(id)).toEqual({ failed: 0, onTheirWay: 1 });
    sent.letGo();
    await eventually(async () =>
      expect(await endOf(id, message)).toEqual([
        'failed',
        'The conversation was stopped before the message arrived.',
      ]),
    );
    const [queue] = await eventually(async () => {
      const found = await fixture.replica.db.query<{ next_attempt_at: Date | null }[]>(
        'SELECT next_attempt_at FROM message_queues WHERE conversation_id = $1 AND claimed_until IS NULL',
        [id],
      );
      expect(found).toHaveLength(1);
      return found;
    });
    expect(queue?.next_attempt_at).toBeNull();
  });

  it('delivers the next message at once, although the one before it was to be tried again much later', async () => {
    const { id } = await fixture.ready();
    fixture.double.fail(REFUSED, sendOf(id, 'refused'), Infinity);
    const message = await fixture.add(id, 'refused');
    await eventually(async () => {
      const [, paused] = await fixture.replica.db.query<[unknown[], number]>(
        `UPDATE message_queues SET next_attempt_at = now() + interval '1 hour', failures = 6
          WHERE conversation_id = $1 AND next_attempt_at IS NOT NULL AND claimed_until IS NULL RETURNING id`,
        [id],
      );
      expect(paused).toBe(1);
      await fixture.replica.db.query(
        `SELECT graphile_worker.remove_job(key) FROM graphile_worker.jobs WHERE key ~ '^(deliver|wake):'`,
      );
    });
    expect(await stop(id)).toEqual({ failed: 1, onTheirWay: 0 });
    expect(await endOf(id, message)).toEqual(['failed', 'Enough.']);
    await fixture.add(id, 'the next');
    await eventually(() => expect(fixture.arrived(id)).toEqual(['the next']));
  });

  it('misses no message that gets back into it in the same moment', async () => {
    const { id } = await fixture.ready();
    const { db } = fixture.replica;
    fixture.double.fail(REFUSED, sendOf(id, 'refused'), Infinity);
    const sent = holdAt('sent');
    const first = await fixture.add(id, 'refused');
    const second = await fixture.add(id, 'behind it');
    await sent.reached;
    const stopped = await db.transaction(async (transaction) => {
      // Stopping waits in the middle, for the message that is queued.
      await transaction.query('SELECT 1 FROM pending_messages WHERE id = $1 FOR UPDATE', [second]);
      const stopping = stop(id);
      // On a busy machine the queue's lease has ended by now, and those that would take it wait, too.
      await eventually(async () => expect(await waitingForLocks()).toBeGreaterThanOrEqual(1));
      sent.letGo();
      await eventually(async () => {
        const [state] = await endOf(id, first);
        expect(state === 'queued' || (await waitingForLocks()) >= 2).toBe(true);
      });
      return { stopping };
    });
    const { failed, onTheirWay } = await stopped.stopping;
    expect(failed + onTheirWay).toBe(2);
    await eventually(async () => {
      expect((await endOf(id, first))[0]).toBe('failed');
      expect((await endOf(id, second))[0]).toBe('failed');
    });
  });
});
