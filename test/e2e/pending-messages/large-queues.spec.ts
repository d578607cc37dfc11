import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { MEBIBYTE } from '../../../src/kernel/common';
import { QueueCalls, saying } from '../../support/queue/queued-messages';
import { rounds } from '../../support/rounds';

interface Page {
  readonly items: readonly {
    readonly id: string;
    readonly state: string;
    readonly content: readonly { text: string }[];
  }[];
  readonly next_page_id: string | null;
}

const ALL = '?state=queued,failed';
/** More than the messages of a property's longest list. */
const MAX_PAGES = 40;

describe('the list of a queue with large messages', () => {
  let queues: QueueCalls;

  beforeAll(async () => {
    queues = await QueueCalls.start();
  });
  afterAll(() => queues.close());

  const page = async (id: string, query = ALL) => {
    const { status, headers, body } = await queues.call<Page>('GET', id, query);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    return body;
  };

  /** Failed messages with texts of so many bytes, in this order, in a queue of their own. */
  async function failed(sizes: readonly number[]): Promise<{ id: string; messages: string[] }> {
    const { id } = await queues.waiting();
    const messages = sizes.map(() => randomUUID());
    const { db } = queues.doubled.service.app;
    await db.query(
      `INSERT INTO message_queues (id, user_id, conversation_id, last_rank) VALUES ($1, $2, $3, $4)`,
      [randomUUID(), queues.doubled.service.owner.userId, id, sizes.length],
    );
    await db.query(
      `INSERT INTO pending_messages (id, queue_id, rank, role, content, run, state)
       SELECT m.id, q.id, m.rank, 'user',
              '[{"type":"text","text":"' || m.id || repeat('x', m.size) || '"}]', true, 'failed'
         FROM message_queues q, unnest($2::uuid[], $3::int[]) WITH ORDINALITY AS m (id, size, rank)
        WHERE q.conversation_id = $1`,
      [id, messages, sizes],
    );
    return { id, messages };
  }

  /** The pages of a list, one after the other. */
  async function walk(id: string): Promise<Page[]> {
    const pages: Page[] = [];
    for (let next: string | null = null; pages.length < MAX_PAGES;) {
      const found = await page(id, next === null ? ALL : `${ALL}&page_id=${next}`);
      pages.push(found);
      next = found.next_page_id;
      if (next === null) return pages;
    }
    throw new Error('The list does not end.');
  }

  it('ends after 16 MiB with a next page, whoever queued them', async () => {
    const { id } = await queues.waiting();
    for (let n = 0; n < 9; n++) {
      const { status } = await queues.call('POST', id, '', {
        body: saying(`${n}${'y'.repeat(3 * MEBIBYTE)}`),
      });
      expect(status).toBe(200);
    }
    const pages = await walk(id);
    expect(pages.map(({ items }) => items.map(({ content }) => content[0]?.text[0]).join(''))).toEqual([
      '01234',
      '5678',
    ]);
    for (const { items } of pages) expect(JSON.stringify(items).length).toBeLessThan(16 * MEBIBYTE);
  });

  it('has a message that is larger than a page on a page of its own', async () => {
    const { id, messages } = await failed([10, 17 * MEBIBYTE, 10]);
    expect((await walk(id)).map(({ items }) => items.map((item) => item.id))).toEqual(
      messages.map((message) => [message]),
    );
  });

  it('of 20 messages of 1 MiB is answered after a change as well, page by page', async () => {
    const { id } = await failed(Array<number>(20).fill(MEBIBYTE));
    const [, one] = await queues.queued(id, ['a', 'b']);
    const edited = await queues.call<Page>('PATCH', id, `/${one}`, { body: saying('c') });
    expect(edited.body.items).toHaveLength(15);
    expect(edited.body.next_page_id).toEqual(expect.any(String));
    const rest = await page(id, `${ALL}&page_id=${edited.body.next_page_id}`);
    expect(rest.items.map(({ state }) => state)).toEqual([
      ...Array<string>(5).fill('failed'),
      'queued',
      'queued',
    ]);
    expect(rest.items.at(-1)?.content[0]?.text).toBe('c');
  });

  it('has every message once and in order on its pages, whatever their sizes', async () => {
    const size = fc.oneof(
      fc.integer({ min: 0, max: 300_000 }),
      fc.integer({ min: 0, max: 9 * MEBIBYTE }),
      fc.constantFrom(0, 250 * 1024, 256 * 1024, 16 * MEBIBYTE - 1_000),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(size, { maxLength: 8 }), async (sizes) => {
        const { id, messages } = await failed(sizes);
        const pages = await walk(id);
        expect(pages.flatMap(({ items }) => items.map((item) => item.id))).toEqual(messages);
        expect(pages.flatMap(({ items }) => items.map(({ content }) => content[0]?.text.length))).toEqual(
          sizes.map((bytes) => bytes + 36),
        );
        for (const { items } of pages)
          if (items.length > 1) expect(JSON.stringify(items).length).toBeLessThan(16 * MEBIBYTE);
      }),
      { numRuns: rounds(12, 4) },
    );
  });
});
