import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/eventually';
import { QueueCalls, type Receipt } from '../../support/queue/queued-messages';
import { makeCaller } from '../../support/service/factories';

const text = (kibibytes: number): string => 'x'.repeat(kibibytes * 1024);

describe('the bytes of undelivered messages', () => {
  let queues: QueueCalls;

  beforeAll(async () => {
    queues = await QueueCalls.start({
      EARLY_QUEUE_MEBIBYTES: '1',
      MESSAGE_MEBIBYTES_PER_USER: '2',
      MESSAGE_MEBIBYTES_PER_ORG: '3',
      DELIVERED_MEBIBYTES_PER_ORG: '1',
    });
  });
  afterEach(() => queues.doubled.service.app.db.query('DELETE FROM message_queues'));
  afterAll(() => queues.close());

  /** What the counters have, and what there is. */
  async function counted(): Promise<unknown> {
    const { db } = queues.doubled.service.app;
    const [row] = await db.query<{ counted: string; stored: string }[]>(
      `SELECT (SELECT coalesce(sum(bytes), 0) FROM message_bytes) AS counted,
              (SELECT coalesce(sum(2 * octet_length(content)), 0)
                 FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id
                WHERE octet_length(content) > 4096 AND state IN ('queued', 'delivering')) AS stored`,
    );
    return row?.counted === row?.stored ? 'as stored' : row;
  }

  async function conversations(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, async () => (await queues.waiting()).id));
  }

  it('of a user are limited exactly, whoever queues at once', async () => {
    const responses = await Promise.all((await conversations(24)).map((id) => queues.post(id, text(150))));
    const taken = responses.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(Math.floor(2048 / 150.1));
    const codes = new Set(
      responses.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.code}`),
    );
    expect([...codes]).toEqual(['429 user_message_bytes_exceeded']);
    expect(await counted()).toBe('as stored');
  });

  it('of an organization are limited, too', async () => {
    const { app, owner } = queues.doubled.service;
    const other = await makeCaller(app.db, owner.orgId);
    const codes: unknown[] = [];
    for (const caller of [owner, other])
      for (let i = 0; i < 2; i++) {
        const { id } = await queues.waiting(caller);
        const { status, body } = await queues.post(id, text(900), { key: caller.key });
        codes.push(status === 200 ? status : body.code);
      }
    expect(codes).toEqual([200, 200, 200, 'organization_message_bytes_exceeded']);
    expect(await counted()).toBe('as stored');
  });

  it('under an id without a conversation have a limit of their own', async () => {
    const id = randomUUID();
    expect((await queues.post(id, text(600))).status).toBe(200);
    const refused = await queues.post(id, text(600));
    expect([refused.status, refused.body.code]).toEqual([413, 'early_queue_bytes_exceeded']);
    expect(await counted()).toBe('as stored');
  });

  it('are free again when a message is cancelled, whose content goes at once, or gets shorter', async () => {
    const [one = '', two = ''] = await conversations(2);
    const first = await queues.post<Receipt>(one, text(1500));
    const second = await queues.post<Receipt>(two, text(400));
    const edit = (kibibytes: number) =>
      queues.call('PATCH', two, `/${second.body.id}`, {
        body: { content: [{ type: 'text', text: text(kibibytes) }] },
      });
    expect((await edit(900)).body.code).toBe('user_message_bytes_exceeded');
    expect((await queues.call('DELETE', one, `/${first.body.id}`)).status).toBe(204);
    expect((await edit(900)).status).toBe(200);
    expect(await queues.texts(one, '?state=cancelled')).toEqual([undefined]);
    expect(await counted()).toBe('as stored');
    expect((await edit(1)).status).toBe(200);
    expect(await counted()).toBe('as stored');
  });

  it('do not count once they are delivered, and then only the latest are kept', async () => {
    const { id } = await queues.doubled.conversation();
    const texts = [1, 2, 3].map((n) => `${n} ${text(500)}`);
    for (const one of texts) {
      expect((await queues.post(id, one)).status).toBe(200);
      await queues.arrived(id, texts.slice(0, texts.indexOf(one) + 1));
    }
    await queues.cleanUp();
    await eventually(async () => expect(await queues.texts(id, '?state=delivered')).toEqual(texts.slice(1)));
    expect(await counted()).toBe('as stored');
  });
});
