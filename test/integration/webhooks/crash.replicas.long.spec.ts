import { newId } from '../../../src/kernel/common';
import type { FaultPoint } from '../../../src/kernel/leases';
import { ShuffledCycle } from '../../crash/shuffled-cycle';
import { WebhookReplicaChild } from '../../crash/webhook-replica-child';
import { eventually } from '../../support/eventually';
import { OK, type Reaction } from '../../support/webhooks/callback-receiver';
import { type TestWebhook, WebhookFixture } from '../../support/webhooks/webhook-fixture';

const LEASE_SECONDS = 1;
const ENDPOINTS = 3;
const CONVERSATIONS = 6;
const DISRUPTIONS = 10;
const STEPS: readonly FaultPoint[] = ['stored', 'committed', 'leased', 'sent', 'recorded', 'released'];
const REACTIONS: readonly Reaction[] = [
  OK,
  OK,
  OK,
  OK,
  OK,
  OK,
  { status: 500 },
  'cut',
  'cut in the answer',
  'hang',
];

describe('callbacks of replicas that are killed and stopped at random', () => {
  let fixture: WebhookFixture;
  const replicas: WebhookReplicaChild[] = [];
  let isGoing = true;

  beforeAll(async () => (fixture = await WebhookFixture.start({ env: { APP_ROLE: 'api' } })));
  afterAll(async () => {
    isGoing = false;
    for (const replica of replicas) replica.kill();
    await Promise.all(replicas.map(({ ended }) => ended));
    await fixture.stop();
  });

  /** One that is replaced when it dies. */
  async function keepOne(): Promise<void> {
    while (isGoing) {
      const replica = new WebhookReplicaChild({
        databaseUrl: fixture.service.database.url,
        host: fixture.receiver.host,
        leaseSeconds: LEASE_SECONDS,
        secretKey: 'a-secret-key-of-tests-0123456789',
      });
      replicas.push(replica);
      await replica.ended;
      replicas.splice(replicas.indexOf(replica), 1);
    }
  }

  const anyReplica = (): Promise<WebhookReplicaChild> =>
    eventually(() => {
      const ready = replicas.filter(({ isReady }) => isReady);
      const replica = ready[Math.floor(Math.random() * ready.length)];
      if (replica === undefined) throw new Error('No replica is ready.');
      return replica;
    }, 120_000);

  it('arrive at least once, and in the order of their conversation', async () => {
    const webhooks = await Promise.all(Array.from({ length: ENDPOINTS }, () => fixture.makeWebhook()));
    const conversations = Array.from({ length: CONVERSATIONS }, newId);
    /** By endpoint: what was answered with success. */
    const succeeded = new Map<TestWebhook, string[]>(webhooks.map((webhook) => [webhook, []]));
    for (const [webhook, marks] of succeeded)
      fixture.receiver.react(webhook.path, ({ payload }) => {
        const reaction = isGoing ? (REACTIONS[Math.floor(Math.random() * REACTIONS.length)] ?? OK) : OK;
        if (reaction === OK) marks.push(String(payload.data['sandbox_id']));
        return reaction;
      });
    const published = new Map<string, string[]>(conversations.map((id) => [id, []]));
    const publishing = conversations.map(async (conversationId) => {
      while (isGoing) {
        const mark = newId();
        await fixture.publish(fixture.happening(conversationId, mark));
        published.get(conversationId)?.push(mark);
        await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 200));
      }
    });
    const keeping = [keepOne(), keepOne()];
    // What hangs or fails is not waited for as long as it would be.
    const hurry = setInterval(() => {
      fixture.db
        .query(`UPDATE webhook_lanes SET due_at = now() WHERE due_at > now() + $1 * interval '1.5 seconds'`, [
          LEASE_SECONDS,
        ])
        .catch(() => undefined);
    }, 500);

    const steps = new ShuffledCycle(STEPS);
    for (let n = 0; n < DISRUPTIONS; n++) {
      const replica = await anyReplica();
      if (n % 4 === 3) await replica.stopFor(2.5 * LEASE_SECONDS * 1_000);
      else if (n % 4 === 2) replica.kill();
      else replica.dieAt(steps.take(), Math.floor(Math.random() * 5));
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700));
    }
    isGoing = false;
    await Promise.all(publishing);
    for (const replica of replicas) replica.kill();
    await Promise.all(keeping);

    const last = new WebhookReplicaChild({
      databaseUrl: fixture.service.database.url,
      host: fixture.receiver.host,
      leaseSeconds: LEASE_SECONDS,
      secretKey: 'a-secret-key-of-tests-0123456789',
    });
    replicas.push(last);
    const all = [...published.values()].flat();
    expect(all.length).toBeGreaterThan(50);
    await eventually(() => {
      for (const marks of succeeded.values()) expect(new Set(marks).size).toBe(all.length);
    }, 120_000);
    clearInterval(hurry);
    for (const marks of succeeded.values()) {
      const firsts = [...new Set(marks)];
      for (const own of published.values()) expect(firsts.filter((mark) => own.includes(mark))).toEqual(own);
    }
    await eventually(async () => {
      const [row] = await fixture.db.query<{ left: number; lanes: number }[]>(
        `SELECT (SELECT count(*)::int FROM webhook_deliveries WHERE state <> 'delivered') AS left,
                (SELECT count(*)::int FROM webhook_lanes) AS lanes`,
      );
      expect(row).toEqual({ left: 0, lanes: 0 });
    });
  });
});
