import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { DELIVERED_CONTENTS } from '../../../src/conversations/pending-messages/delivery/delivery.query';
import { DeliveryRepository } from '../../../src/conversations/pending-messages/delivery/delivery.repository';
import {
  DELETE_DONE,
  DELETE_KEPT,
} from '../../../src/conversations/pending-messages/upkeep/done-messages.query';
import {
  END_OF_PORTION,
  KEPT_BETWEEN,
  KEPT_BEYOND,
} from '../../../src/conversations/pending-messages/upkeep/done-messages.read-model';
import { KeptBytes, KEPT_SHARE } from '../../../src/conversations/pending-messages/upkeep/kept-bytes';
import { eventually } from '../../support/eventually';
import { QueueCalls, type Receipt } from '../../support/queue/queued-messages';
import { makeCaller, makeOrg } from '../../support/service/factories';

const LIMIT = 450 * 1024;
const text = (kibibytes: number): string => 'x'.repeat(kibibytes * 1024);

describe('the bytes of messages', () => {
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

  /** Nearly half of what is kept of an organization. */
  const half = (n: number): string => `${n} ${text(480)}`;

  /** Nearly half of the limit below, which is less than the service's: its own clean-up, each minute, deletes none. */
  const short = (n: number): string => `${n} ${text(200)}`;

  /** Queues those of the texts that were not delivered yet, one after the other, and waits until they are. */
  async function deliver(id: string, texts: readonly string[]): Promise<void> {
    for (const one of texts.slice((await delivered(id)).length)) {
      expect((await queues.post(id, one)).status).toBe(200);
      await queues.arrived(id, texts.slice(0, texts.indexOf(one) + 1));
      await eventually(async () => expect(await delivered(id)).toContain(one));
    }
  }

  const delivered = (id: string): Promise<(string | undefined)[]> => queues.texts(id, '?state=delivered');

  /** Rows of messages that were delivered one second apart, in the reverse order of their ranks, which begin at 1001. */
  const addDelivered = (
    id: string,
    { count, bytes, since }: { count: number; bytes: number; since: string },
  ) =>
    queues.doubled.service.app.db.query(
      `INSERT INTO pending_messages (id, queue_id, rank, role, content, run, state, delivered_at)
       SELECT gen_random_uuid(), q.id, 1000 + n, 'user', repeat('x', $3), true, 'delivered',
              now() - $4::interval - n * interval '1 s'
         FROM message_queues q, generate_series(1, $2::int) n WHERE q.conversation_id = $1`,
      [id, count, bytes, since],
    );

  const firstWords = (texts: readonly (string | undefined)[]): (string | undefined)[] =>
    texts.map((one) => one?.split(' ')[0]);

  /** What was delivered was so a while ago. */
  const age = (): Promise<unknown> =>
    queues.doubled.service.app.db.query(
      `UPDATE pending_messages SET delivered_at = delivered_at - interval '2 minutes' WHERE state = 'delivered'`,
    );

  /** Not the service's own clean-up. */
  const isOurs = ([, parameters]: Parameters<typeof KEPT_BEYOND.rows>): boolean =>
    parameters?.[1] === KEPT_SHARE * LIMIT;

  async function conversations(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, async () => (await queues.waiting()).id));
  }

  it('of a user, undelivered, are limited exactly, whoever queues at once', async () => {
    const responses = await Promise.all((await conversations(24)).map((id) => queues.post(id, text(150))));
    const taken = responses.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(Math.floor(2048 / 150.1));
    const codes = new Set(
      responses.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.code}`),
    );
    expect([...codes]).toEqual(['429 user_message_bytes_exceeded']);
    expect(await counted()).toBe('as stored');
  });

  it('of an organization, undelivered, are limited, too', async () => {
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
    const texts = [1, 2, 3].map(half);
    await deliver(id, texts);
    await queues.cleanUp();
    expect(firstWords(await delivered(id))).toEqual(['2', '3']);
    expect(await counted()).toBe('as stored');
  });

  it('of delivered messages count from one look to the next', async () => {
    const { id } = await queues.doubled.conversation();
    const texts = [1, 2, 3, 4].map(short);
    const bytes = new KeptBytes(queues.doubled.service.app.db, LIMIT);
    await deliver(id, texts.slice(0, 2));
    await age();
    await bytes.keepWithin();
    expect(firstWords(await delivered(id))).toEqual(['1', '2']);
    await deliver(id, texts.slice(0, 3));
    await bytes.keepWithin();
    expect(firstWords(await delivered(id))).toEqual(['2', '3']);
    expect((await queues.post(id, short(4))).status).toBe(200);
    await queues.arrived(id, texts);
    await eventually(async () => expect(await delivered(id)).toContain(short(4)));
    await bytes.keepWithin();
    expect(firstWords(await delivered(id))).toEqual(['3', '4']);
  });

  it('of delivered messages leave room for the next ones once there were too many', async () => {
    const { id } = await queues.doubled.conversation();
    const bytes = new KeptBytes(queues.doubled.service.app.db, LIMIT);
    const texts = [1, 2, 3, 4, 5, 6].map((n) => `${n} ${text(110)}`);
    await deliver(id, texts.slice(0, 5));
    await age();
    await bytes.keepWithin();
    expect(firstWords(await delivered(id))).toEqual(['3', '4', '5']);
    expect((await queues.post(id, texts[5] ?? '')).status).toBe(200);
    await queues.arrived(id, texts);
    await eventually(async () => expect(await delivered(id)).toContain(texts[5]));
    const search = jest.spyOn(KEPT_BEYOND, 'rows');
    await bytes.keepWithin();
    expect(search.mock.calls.filter(isOurs)).toEqual([]);
    search.mockRestore();
    expect(firstWords(await delivered(id))).toEqual(['3', '4', '5', '6']);
  });

  it('of many delivered messages: the oldest go, until there is room', async () => {
    const { id } = await queues.doubled.conversation();
    const { db } = queues.doubled.service.app;
    await deliver(id, ['first']);
    await addDelivered(id, { count: 16_000, bytes: 100, since: '1 s' });
    await new KeptBytes(db, LIMIT).keepWithin();
    const [left] = await db.query<{ bytes: number; latest: boolean }[]>(
      `SELECT sum(octet_length(content))::int AS bytes,
              count(*) FILTER (WHERE rank > 1000)::int = max(rank) - 1000 AS latest
         FROM pending_messages`,
    );
    expect(left).toMatchObject({ latest: true });
    expect(left?.bytes).toBeLessThanOrEqual(KEPT_SHARE * LIMIT);
    expect(left?.bytes).toBeGreaterThan(KEPT_SHARE * LIMIT - 200);
  });

  it.each([-1, 0])(
    'of many delivered messages are counted exactly, in portions, at a limit of %i bytes more',
    async (more) => {
      const { id } = await queues.doubled.conversation();
      const { db } = queues.doubled.service.app;
      await deliver(id, ['first']);
      await addDelivered(id, { count: 1_000, bytes: 100, since: '1 hour' });
      // More in one moment than a portion has.
      await db.query(
        `UPDATE pending_messages SET delivered_at = now() - interval '2 hours' WHERE rank BETWEEN 1500 AND 1700`,
      );
      const stored = async (): Promise<number> => {
        const [row] = await db.query<{ bytes: number }[]>(
          'SELECT sum(octet_length(content))::int AS bytes FROM pending_messages',
        );
        return row?.bytes ?? NaN;
      };
      const before = await stored();
      const counting = jest.spyOn(KEPT_BETWEEN, 'rows');
      await new KeptBytes(db, before + more, 50).keepWithin();
      expect(counting.mock.calls.length).toBeGreaterThan(800 / 50);
      counting.mockRestore();
      expect((await stored()) === before).toBe(more === 0);
    },
  );

  it('that cannot be counted keep nothing else from being cleaned up', async () => {
    const { db } = queues.doubled.service.app;
    const left = () => db.query<unknown[]>('SELECT 1 FROM message_queues WHERE early_key IS NOT NULL');
    await queues.post(randomUUID(), 'nobody starts it');
    await db.query('DELETE FROM pending_messages');
    await db.query(`UPDATE message_queues SET closed_reason = 'It is late.' WHERE early_key IS NOT NULL`);
    expect(await left()).toHaveLength(1);
    const failing = jest.spyOn(KEPT_BETWEEN, 'rows').mockRejectedValue(new Error('it took too long'));
    const ended = queues.cleanUp();
    await eventually(async () => expect(await left()).toEqual([]));
    failing.mockRestore();
    await ended;
  });

  it('of delivered messages are counted anew after a failure', async () => {
    const { id } = await queues.doubled.conversation();
    const { db } = queues.doubled.service.app;
    const bytes = new KeptBytes(db, LIMIT);
    await deliver(id, [1, 2, 3].map(short));
    await age();
    const failing = jest.spyOn(DELETE_KEPT, 'rows').mockRejectedValueOnce(new Error('the connection ended'));
    await expect(bytes.keepWithin()).rejects.toThrow('the connection ended');
    failing.mockRestore();
    await bytes.keepWithin();
    expect(firstWords(await delivered(id))).toEqual(['2', '3']);
  });

  it('of an organization whose messages cannot be deleted cost no other its turn', async () => {
    const { db } = queues.doubled.service.app;
    const owners = [queues.doubled.service.owner, await makeCaller(db, (await makeOrg(db)).id)];
    for (const owner of owners) {
      // Not under way when the others are looked at: they would account for it.
      const { id } = await queues.waiting(owner);
      expect((await queues.post(id, 'first', { key: owner.key })).status).toBe(200);
      await addDelivered(id, { count: 5, bytes: LIMIT / 4, since: '1 hour' });
    }
    const left = async (): Promise<unknown> =>
      db.query(
        `SELECT count(*)::int FROM pending_messages WHERE rank > 1000 GROUP BY queue_id ORDER BY count`,
      );
    expect(await left()).toEqual([{ count: 5 }, { count: 5 }]);
    const failing = jest.spyOn(DELETE_KEPT, 'rows').mockRejectedValueOnce(new Error('it took too long'));
    await expect(new KeptBytes(db, LIMIT).keepWithin()).rejects.toThrow('it took too long');
    failing.mockRestore();
    expect(await left()).toEqual([{ count: 3 }, { count: 5 }]);
  });

  it('of failed messages count like those of delivered ones, also where no conversation was started', async () => {
    const { db } = queues.doubled.service.app;
    const { id } = await queues.doubled.conversation();
    await deliver(id, [short(1)]);
    const early = randomUUID();
    for (const n of [2, 3]) expect((await queues.post(early, short(n))).status).toBe(200);
    await db.query(`UPDATE pending_messages SET state = 'failed' WHERE state = 'queued'`);
    const left = (): Promise<unknown> =>
      db.query(`SELECT left(content::json -> 0 ->> 'text', 1) AS n FROM pending_messages ORDER BY 1`);
    expect(await left()).toEqual([{ n: '1' }, { n: '2' }, { n: '3' }]);
    await new KeptBytes(db, LIMIT).keepWithin();
    expect(await left()).toEqual([{ n: '2' }, { n: '3' }]);
  });

  it('that failed are kept from then on, however long ago they were queued', async () => {
    const { db } = queues.doubled.service.app;
    const early = randomUUID();
    expect((await queues.post(early, 'nobody starts it')).status).toBe(200);
    await db.query(`UPDATE pending_messages SET created_at = now() - interval '8 days'`);
    await db.query(`UPDATE message_queues SET created_at = now() - interval '8 days'`);
    await queues.cleanUp();
    expect(await queues.texts(early, '?state=failed')).toEqual(['nobody starts it']);
    await db.query(`UPDATE pending_messages SET failed_at = now() - interval '8 days'`);
    await queues.cleanUp();
    expect(await db.query('SELECT 1 FROM pending_messages')).toEqual([]);
  });

  describe('where the outcome of another is unknown', () => {
    const QUARTER = 16 * 1024;

    /** Which of sixteen quarters of a limit are left, the latest first. */
    async function leftAfter(
      clean: (db: DataSource) => Promise<unknown>,
      { since, unknown = true }: { since: string; unknown?: boolean },
    ): Promise<number[]> {
      const { db } = queues.doubled.service.app;
      const { id } = await queues.waiting();
      expect((await queues.post(id, 'unknown')).status).toBe(200);
      await addDelivered(id, { count: 16, bytes: QUARTER, since });
      if (unknown) await db.query(`UPDATE pending_messages SET state = 'delivering' WHERE rank < 1000`);
      await clean(db);
      const rows = await db.query<{ n: number }[]>(
        'SELECT rank::int - 1000 AS n FROM pending_messages WHERE rank > 1000 ORDER BY rank',
      );
      return rows.map(({ n }) => n);
    }

    const keepWithin = (db: DataSource): Promise<void> => new KeptBytes(db, 4 * QUARTER).keepWithin();
    const first = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

    it('those of its queue stay beyond the days that messages are kept', async () => {
      expect(await leftAfter(() => queues.cleanUp(), { since: '8 days', unknown: false })).toEqual([]);
      expect(await leftAfter(() => queues.cleanUp(), { since: '8 days' })).toEqual(first(16));
    });

    it('those of its queue stay beyond the limit, up to twice as many', async () => {
      expect(await leftAfter(keepWithin, { since: '1 hour' })).toEqual(first(8));
    });

    it('no more than the limit stay of other queues', async () => {
      expect(await leftAfter(keepWithin, { since: '1 hour', unknown: false })).toEqual(first(3));
    });
  });

  it('of many that are done go in portions', async () => {
    const { db } = queues.doubled.service.app;
    const { id } = await queues.doubled.conversation();
    await deliver(id, ['first']);
    // Not due for the service's own clean-up.
    await addDelivered(id, { count: 25, bytes: 1000, since: '2 hours' });
    const deleted = async (...limits: [messages: number, bytes: number]) =>
      (await DELETE_DONE.rows(db, ['1 hour', ...limits])).length;
    expect(await deleted(10, 1_000_000)).toBe(10);
    expect(await deleted(10, 4_500)).toBe(5);
    expect(await deleted(10, 1)).toBe(1);
    const [rest] = await db.query<{ ranks: number[] }[]>(
      'SELECT array_agg(rank::int ORDER BY rank) AS ranks FROM pending_messages WHERE rank > 1000',
    );
    expect(rest?.ranks).toEqual(Array.from({ length: 9 }, (_, n) => 1001 + n));
  });

  it('of delivered messages are read in portions when they account for another', async () => {
    const { app } = queues.doubled.service;
    const { id } = await queues.doubled.conversation();
    await deliver(id, ['first']);
    await addDelivered(id, { count: 2_500, bytes: 100, since: '1 hour' });
    // At the end of a portion, as messages may have that were moved.
    await app.db.query('UPDATE pending_messages SET rank = 1900 WHERE rank BETWEEN 1900 AND 2100');
    const [{ id: queueId }] = await app.db.query<[{ id: string }]>('SELECT id FROM message_queues');
    const reading = jest.spyOn(DELIVERED_CONTENTS, 'rows');
    const contents: string[] = [];
    for await (const content of app.app
      .get(DeliveryRepository, { strict: false })
      .deliveredContents(queueId, 'any'))
      contents.push(content);
    expect(contents.slice(1)).toEqual(Array.from({ length: 2_500 }, () => 'x'.repeat(100)));
    expect(reading).toHaveBeenCalledTimes(4);
    reading.mockRestore();

    const lowest = ['-1', '00000000-0000-0000-0000-000000000000'];
    const sized = await DELIVERED_CONTENTS.rows(app.db, [queueId, true, null, ...lowest, 1_000]);
    expect(sized.length).toBeGreaterThan(1);
    expect(sized.length).toBeLessThanOrEqual(11);
  });

  it('of messages that have gone with their conversation cost no others their place', async () => {
    const [gone, kept] = [await queues.doubled.conversation(), await queues.doubled.conversation()];
    const { db } = queues.doubled.service.app;
    const bytes = new KeptBytes(db, LIMIT);
    await deliver(gone.id, [short(1), short(2)]);
    await age();
    await bytes.keepWithin();
    await db.query('DELETE FROM message_queues WHERE conversation_id = $1', [gone.id]);
    await deliver(kept.id, [short(3), short(4)]);
    const search = jest.spyOn(KEPT_BEYOND, 'rows');
    await bytes.keepWithin();
    await bytes.keepWithin();
    expect(search.mock.calls.filter(isOurs)).toHaveLength(1);
    search.mockRestore();
    expect(firstWords(await delivered(kept.id))).toEqual(['3', '4']);
  });

  it('are cleaned up without a look at those that stay', async () => {
    const { id } = await queues.doubled.conversation();
    const { db } = queues.doubled.service.app;
    await deliver(id, ['first']);
    await addDelivered(id, { count: 5_000, bytes: 30, since: '1 day' });
    const [{ count }] = await db.query<[{ count: string }]>('SELECT count(*) FROM pending_messages');
    expect(Number(count)).toBeGreaterThan(5_000);
    await db.query('ANALYZE pending_messages, message_queues');
    await db.transaction(async (transaction) => {
      // What this connection has read and not reported yet.
      const read = async (): Promise<number> => {
        const [row] = await transaction.query<{ rows: string }[]>(
          `SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_xact_user_tables
            WHERE relname = 'pending_messages'`,
        );
        return Number(row?.rows);
      };
      const before = await read();
      await DELETE_DONE.rows(transaction, ['7 days', 10_000, 2 ** 28]);
      const now = new Date().toISOString();
      await END_OF_PORTION.rows(transaction, [now, now, 100_000]);
      await END_OF_PORTION.rows(transaction, ['-infinity', 'infinity', 50]);
      await KEPT_BETWEEN.rows(transaction, [now, 'infinity']);
      expect((await read()) - before).toBeLessThan(100);
    });
  });
});
