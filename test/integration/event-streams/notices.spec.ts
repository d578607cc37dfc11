import { Client } from 'pg';
import { newId } from '../../../src/kernel/common';
import { DomainEvents } from '../../../src/kernel/domain-events';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';
import { StreamReader } from '../../support/streams/stream-reader';

const NEWS = 'event_stream_news';
const READERS = 'event_stream_readers';

describe('what a replica tells the others for streams', () => {
  let app: TestApp;
  let admin: TestCaller;
  let client: Client;
  const told: { readonly channel: string; readonly payload: string }[] = [];

  beforeAll(async () => {
    app = await startTestApp();
    admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin');
    client = new Client({ connectionString: app.database.url });
    await client.connect();
    client.on('notification', ({ channel, payload = '' }) => told.push({ channel, payload }));
    for (const channel of [NEWS, READERS]) await client.query(`LISTEN ${channel}`);
  });
  afterAll(async () => {
    await client.end();
    await app.close();
  });

  const on = (channel: string): string[] =>
    told.filter((one) => one.channel === channel).map(({ payload }) => payload);

  /** Something happens, and gets its position. @returns the conversation that it happens to */
  async function happen(): Promise<string> {
    const id = newId();
    await app.db.transaction((transaction) =>
      app.app.get(DomainEvents).publish(transaction, {
        kind: 'conversation.deleted',
        org_id: admin.orgId,
        conversation_id: id,
      }),
    );
    await eventually(async () => {
      const left = await app.db.query<unknown[]>('SELECT 1 FROM domain_events WHERE position IS NULL');
      expect(left).toEqual([]);
    });
    // What was told until then has come with the answer.
    await client.query('SELECT 1');
    return id;
  }

  const news = (n: number): string[] => on(NEWS)[n]?.split(',').toSorted() ?? [];

  it('is nothing while nobody reads, then who has readers, and whose logs have news', async () => {
    await happen();
    expect(told).toEqual([]);

    const url = `${app.url}/api/organizations/${admin.orgId}/events/stream`;
    const stream = await StreamReader.open(url, { key: admin.key });
    await eventually(() => expect(new Set(on(READERS)).size).toBe(1));
    const deleted = await happen();
    await eventually(() => expect(news(0)).toEqual([admin.orgId, deleted].toSorted()));
    const { id } = await storeConversation(app.db, { org_id: admin.orgId, created_by_user_id: admin.userId });
    await storeEvents(app, id, [agentEvent(), agentEvent()]);
    await eventually(() => expect(news(1)).toEqual([admin.orgId, id].toSorted()));

    stream.close();
    await eventually(async () => {
      const { length } = told;
      await happen();
      expect(told).toHaveLength(length);
    });
  });
});
