import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { isSend } from '../../support/agent-server/agent-server-calls';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { saying } from '../../support/queue/queued-messages';
import { Replicas } from '../../support/replicas/replicas';
import { ConversationClient } from '../../support/service/conversation-client';
import { freePort } from '../../support/service/free-port';
import { LossyLink } from '../../support/service/lossy-link';

const CONVERSATIONS = 4;
const MESSAGES = 4;

describe('a replica that loses its way to the database without a word', () => {
  let database: TestDatabase;
  let link: LossyLink;
  let double: AgentServerDouble;
  let replicas: Replicas;
  let cutOff: ConversationClient;
  let other: ConversationClient;
  const queued = new Map<string, string[]>();

  beforeAll(async () => {
    database = await createTestDatabase();
    link = await LossyLink.start(database.url);
    double = await AgentServerDouble.start();
    replicas = await Replicas.start({
      ports: [await freePort(), await freePort()],
      databaseUrls: [link.url, database.url],
      double,
      env: { JOB_LEASE_SECONDS: '2', DELIVERY_SETTLE_SECONDS: '0.5', SEND_TIMEOUT_SECONDS: '20' },
    });
    cutOff = new ConversationClient({ url: replicas.url(0) }, replicas.key);
    other = new ConversationClient({ url: replicas.url(1) }, replicas.key);
  });

  afterAll(async () => {
    await replicas.close();
    await double.stop();
    await link.close();
    await database.drop();
  });

  /** Queues messages for each conversation through a replica. */
  async function queue(by: ConversationClient, count: number): Promise<void> {
    for (let n = 0; n < count; n++)
      for (const [id, texts] of queued) {
        const text = `message ${texts.length}`;
        const path = `/api/v1/conversations/${id}/pending-messages`;
        expect((await by.call('POST', path, { body: saying(text) })).status).toBe(200);
        texts.push(text);
      }
  }

  /** Waits until all that was queued has arrived, once and in order. */
  async function arrived(): Promise<void> {
    for (const [id, texts] of queued)
      await eventually(() => expect(double.messages(id).map(({ text }) => text)).toEqual(texts), 60_000);
  }

  it('has its queues delivered by another one, and doubles nothing when it is back', async () => {
    for (let n = 0; n < CONVERSATIONS; n++) queued.set(await cutOff.ready(), []);
    // Messages are waiting and on their way when the link is lost.
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    double.fail({ kind: 'held', until, unlessGone: true }, isSend, Infinity);
    await queue(cutOff, MESSAGES);
    await eventually(() => expect(double.arrived(isSend).length).toBeGreaterThan(0));
    link.lose();
    double.heal();
    release();
    await queue(other, MESSAGES);
    await arrived();
    await eventually(async () => expect((await cutOff.call('GET', '/ready')).status).toBe(503), 60_000);

    link.restore();
    await eventually(async () => expect((await cutOff.call('GET', '/ready')).status).toBe(200), 60_000);
    await queue(cutOff, MESSAGES);
    await queue(other, MESSAGES);
    await arrived();
    await eventually(() =>
      expect(replicas.process(0).output).toContain('This worker was declared dead; a new one replaces it.'),
    );
  });
});
