import { sendTo } from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { QueueFixture } from '../../support/queue/queue-fixture';
import { QueueReplica } from '../../support/queue/queue-replica';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy';

const LEASE_MS = 1_000;
const SETTLE_MS = 1_000;
/** Longer than what is left of a lease and the settling time after it. */
const SLOW_MS = LEASE_MS + SETTLE_MS + 3_000;

describe('a message that is being sent when its replica loses the database', () => {
  const env = {
    JOB_LEASE_SECONDS: String(LEASE_MS / 1000),
    DELIVERY_SETTLE_SECONDS: String(SETTLE_MS / 1000),
    SEND_TIMEOUT_SECONDS: '30',
  };
  let fixture: QueueFixture;
  let way: TcpProxy;
  let cutOff: QueueReplica;

  beforeAll(async () => {
    fixture = await QueueFixture.start(env);
    way = await startTcpProxy(fixture.database.url);
    cutOff = await QueueReplica.start({ databaseUrl: way.url, sandboxes: fixture.sandboxes, env });
  });
  afterAll(async () => {
    await cutOff.stop();
    await fixture.stop();
  });

  it('is cut off with the lease, so that it arrives once when another replica sends it again', async () => {
    const { id } = await fixture.ready();
    const attempts = (): number => fixture.double.arrived(sendTo(id)).length;
    fixture.double.fail({ kind: 'slow', ms: SLOW_MS }, sendTo(id));
    const content = JSON.stringify([{ type: 'text', text: 'once' }]);
    await cutOff.messages.add(fixture.caller, id, content);
    await eventually(() => expect(attempts()).toBe(1));
    const slowUntil = performance.now() + SLOW_MS;
    await way.cut();
    await eventually(() => expect(attempts()).toBe(2));
    // Else the slow one was too fast to differ from one that was cut off.
    expect(performance.now()).toBeLessThan(slowUntil);
    await eventually(() => expect(performance.now()).toBeGreaterThan(slowUntil + 200));
    await eventually(async () => expect(await fixture.list(id, ['delivered'])).toHaveLength(1));
    expect(fixture.arrived(id)).toEqual(['once']);
  });
});
