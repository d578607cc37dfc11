import { MEBIBYTE } from '../../../src/kernel/common';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { fill } from '../../support/database/fill';
import type { ErrorBody } from '../../support/service/http';

interface Page {
  readonly items: readonly { readonly id: string; readonly text: string }[];
  readonly next_page_id: string | null;
}

describe('large responses', () => {
  let doubled: DoubledService;
  let id: string;

  beforeAll(async () => {
    doubled = await DoubledService.start();
    ({ id } = await doubled.conversation());
    await fill(
      doubled.service.app.database,
      `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
       SELECT $1, n::text, n, 'MessageEvent', now() + n * interval '1 second',
              '{"id":"' || n || '","text":"' || repeat('x', 3 * 1024 * 1024) || '"}'
         FROM generate_series(1, 12) n`,
      [id],
    );
  });
  afterAll(() => doubled.close());

  const search = (query: string) =>
    doubled.service.call<Page>('GET', `/api/v1/conversation/${id}/events/search?limit=100${query}`);

  it('of a search end after 16 MiB and go on at the next page, in both orders', async () => {
    for (const order of ['TIMESTAMP', 'TIMESTAMP_DESC']) {
      const seen: string[] = [];
      let next: string | null = null;
      do {
        const { body }: { body: Page } = await search(
          `&sort_order=${order}${next === null ? '' : `&page_id=${next}`}`,
        );
        expect(JSON.stringify(body).length).toBeLessThan(16 * MEBIBYTE + 1_000);
        seen.push(...body.items.map((item) => item.id));
        next = body.next_page_id;
      } while (next !== null);
      const all = Array.from({ length: 12 }, (_, index) => String(index + 1));
      expect(seen).toEqual(order === 'TIMESTAMP' ? all : all.reverse());
    }
  });

  it('of ids are 413 beyond 16 MiB, also for one event that is named often', async () => {
    const get = (ids: string) =>
      doubled.service.call<ErrorBody & (Page['items'][number] | null)[]>(
        'GET',
        `/api/v1/conversation/${id}/events?ids=${ids}`,
      );
    const fits = await get('2,unknown,1');
    expect(fits.body.map((event) => event?.id)).toEqual(['2', undefined, '1']);
    for (const ids of ['1,2,3,4,5,6', '1,1,1,1,1,1']) {
      const { status, body } = await get(ids);
      expect([status, body.code]).toEqual([413, 'answer_too_large']);
    }
  });

  it('of several callers at once all arrive', async () => {
    const pages = await Promise.all(Array.from({ length: 4 }, () => search('')));
    expect(pages.map(({ body }) => body.items.length)).toEqual([5, 5, 5, 5]);
  });
});
