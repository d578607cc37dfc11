import { sendTo } from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { QueueFixture } from '../../support/queue/queue-fixture';
import { QueueReplica } from '../../support/queue/queue-replica';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy';

const LEASE_MS = 1_000;
const SETTLE_MS = 1_000;

describe('a message that is being sent when its replica loses the database', () => {
  const env = {
    JOB_LEASE_SECONDS: String(LEASE_MS / 1000),
    DELIVERY_SETTLE_SECONDS: String(SETTLE_MS / 1000),
    SEND_TIMEOUT_SECONDS: '30',
  };
  let fixture: QueueFixture;
  let way: TcpProxy;
  let cutOff: QueueReplica;
  let other: QueueReplica | undefined;

  beforeAll(async () => {
    // One that takes messages and delivers none: just one replica can send at first.
    fixture = await QueueFixture.start({ ...env, APP_ROLE: 'api' });
    way = await startTcpProxy(fixture.database.url);
    cutOff = await QueueReplica.start({ databaseUrl: way.url, sandboxes: fixture.sandboxes, env });
  });
  afterAll(async () => {
    await cutOff.stop();
    await other?.stop();
    await fixture.stop();
  });

  it('is cut off with the lease, so that it arrives once when another replica sends it again', async () => {
    const { id } = await fixture.ready();
    const attempts = (): number => fixture.double.arrived(sendTo(id)).length;
    let accept: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (accept = resolve));
    fixture.double.fail({ kind: 'held', until, unlessGone: true }, sendTo(id));
    const content = JSON.stringify([{ type: 'text', text: 'once' }]);
    await cutOff.messages.add(fixture.caller, id, content);
    await eventually(() => expect(attempts()).toBe(1));
    await way.cut();
    const { database, sandboxes } = fixture;
    other = await QueueReplica.start({ databaseUrl: database.url, sandboxes, env });
    await eventually(() => expect(attempts()).toBe(2));
    // Were the first one still on its way, it would arrive now.
    accept();
    await eventually(async () => expect(await fixture.list(id, ['delivered'])).toHaveLength(1));
    expect(fixture.arrived(id)).toEqual(['once']);
  });
});
