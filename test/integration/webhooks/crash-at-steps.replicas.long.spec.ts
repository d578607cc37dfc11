import { newId } from '../../../src/kernel/common';
import type { FaultPoint } from '../../../src/kernel/leases';
import { WebhookReplicaChild } from '../../crash/webhook-replica-child';
import { eventually } from '../../support/eventually';
import { OK } from '../../support/webhooks/callback-receiver';
import { type TestWebhook, WebhookFixture } from '../../support/webhooks/webhook-fixture';

const LEASE_SECONDS = 4;

type ReplicaOptions = ConstructorParameters<typeof WebhookReplicaChild>[0];

/** Where a delivery is when its process is killed. */
interface Case {
  /** `written`: the request has arrived, and is not answered. */
  readonly step: FaultPoint | 'written';
  /** The first callback is answered with an error. */
  readonly fails?: true;
  /** How many callbacks have arrived when the process dies. */
  readonly arrived: number;
}

const CASES: readonly Case[] = [
  { step: 'leased', arrived: 0 },
  { step: 'written', arrived: 1 },
  { step: 'sent', arrived: 1 },
  { step: 'sent', fails: true, arrived: 1 },
  { step: 'recorded', arrived: 1 },
  { step: 'recorded', fails: true, arrived: 1 },
  { step: 'released', arrived: 3 },
];

describe('a callback whose process is killed', () => {
  let fixture: WebhookFixture;
  let survivor: WebhookReplicaChild | undefined;

  // One that logs what happens, and calls nobody.
  beforeAll(async () => (fixture = await WebhookFixture.start({ env: { APP_ROLE: 'api' } })));
  afterAll(async () => {
    survivor?.kill();
    await survivor?.ended;
    await fixture.stop();
  });

  function replica(
    faults: Partial<Pick<ReplicaOptions, 'dieAt' | 'pausesAt' | 'leaseSeconds'>>,
  ): WebhookReplicaChild {
    return new WebhookReplicaChild({
      databaseUrl: fixture.service.database.url,
      host: fixture.receiver.host,
      leaseSeconds: LEASE_SECONDS,
      secretKey: 'a-secret-key-of-tests-0123456789',
      ...faults,
    });
  }

  const happen = async (conversationId: string, count = 3): Promise<string[]> => {
    const marks = Array.from({ length: count }, newId);
    await fixture.publish(...marks.map((mark) => fixture.happening(conversationId, mark)));
    return marks;
  };

  /** What arrived, each at its first arrival. */
  const firsts = (webhook: TestWebhook): unknown[] => [...new Set(fixture.marks(webhook))];

  it.each<FaultPoint>(['stored', 'committed'])(
    'where what happened becomes deliveries (%s) loses nothing',
    async (dieAt) => {
      const webhook = await fixture.makeWebhook();
      const marks = await happen(newId());
      const doomed = replica({ dieAt });
      await doomed.ended;
      expect(fixture.marks(webhook)).toEqual([]);
      expect(await fixture.deliveries(webhook)).toHaveLength(dieAt === 'stored' ? 0 : marks.length);
      // It has its own lease for long enough that a busy machine makes it send nothing again.
      const next = replica({ leaseSeconds: 60 });
      await eventually(() => expect(fixture.marks(webhook)).toEqual(marks), 60_000);
      expect(await fixture.deliveries(webhook)).toHaveLength(marks.length);
      await eventually(async () => expect(await fixture.pauses(webhook)).toEqual([]));
      expect(fixture.marks(webhook)).toEqual(marks);
      next.kill();
      await next.ended;
    },
  );

  it('is taken over at each step of a delivery: everything arrives, and in order', async () => {
    const cases = await Promise.all(
      CASES.map(async (at) => {
        const conversationId = newId();
        const webhook = await fixture.makeWebhook({ conversationIds: [conversationId] });
        fixture.receiver.react(webhook.path, (_, count) => {
          if (at.step === 'written') return 'hang';
          return at.fails && count === 1 ? { status: 500 } : OK;
        });
        return { ...at, conversationId, webhook };
      }),
    );
    const marks = new Map<string, string[]>();
    for (const { conversationId } of cases) marks.set(conversationId, await happen(conversationId));
    const steps = cases.flatMap(({ step, conversationId }) =>
      step === 'written' ? [] : [[conversationId, step] as const],
    );
    // Its lease lasts until it is killed, however long a busy machine takes to get there.
    const doomed = replica({ pausesAt: Object.fromEntries(steps), leaseSeconds: 60 });
    await eventually(() => {
      expect(doomed.held.size).toBe(steps.length);
      for (const { webhook, arrived } of cases) expect(fixture.marks(webhook)).toHaveLength(arrived);
    }, 60_000);
    doomed.kill();
    await doomed.ended;
    // As if its leases had ended.
    await fixture.db.query('UPDATE webhook_lanes SET due_at = now() WHERE due_at > now()');

    for (const { webhook, conversationId } of cases) {
      fixture.receiver.react(webhook.path, () => OK);
      marks.get(conversationId)?.push(...(await happen(conversationId, 1)));
    }
    survivor = replica({});
    for (const { webhook, conversationId, step, arrived } of cases) {
      await eventually(() => {
        expect([step, ...firsts(webhook)]).toEqual([step, ...(marks.get(conversationId) ?? [])]);
      }, 60_000);
      // What was sent and not recorded is sent again, and no more than that.
      const again = step === 'written' || step === 'sent' ? 1 : 0;
      const failed = step === 'recorded' && fixture.marks(webhook)[0] === fixture.marks(webhook)[1] ? 1 : 0;
      await eventually(() =>
        expect([step, arrived, fixture.marks(webhook).length]).toEqual([step, arrived, 4 + again + failed]),
      );
    }
    await eventually(async () => {
      for (const { webhook } of cases)
        expect((await fixture.deliveries(webhook)).map(({ state }) => state)).toEqual(
          Array.from({ length: 4 }, () => 'delivered'),
        );
    });
  });

  it('cannot record what another process has taken over', async () => {
    survivor?.kill();
    await survivor?.ended;
    const conversationId = newId();
    const webhook = await fixture.makeWebhook({ conversationIds: [conversationId] });
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    fixture.receiver.react(webhook.path, async (_, count) => {
      if (count === 1) await held;
      return count === 1 ? { status: 500 } : OK;
    });
    const marks = await happen(conversationId);
    const stalled = replica({});
    await eventually(() => expect(fixture.marks(webhook)).toHaveLength(1), 60_000);
    const pause = stalled.stopFor((LEASE_SECONDS + 3) * 1_000);
    survivor = replica({});
    await eventually(() => expect(firsts(webhook)).toEqual(marks), 60_000);
    await pause;
    answer();
    // It wakes up and goes on: what comes next is delivered by either, once.
    const [last] = await happen(conversationId, 1);
    await eventually(async () => {
      expect(firsts(webhook)).toEqual([...marks, last]);
      const deliveries = await fixture.deliveries(webhook);
      expect(deliveries).toHaveLength(4);
      for (const delivery of deliveries) expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 });
    });
    stalled.kill();
    await stalled.ended;
  });
});
