import { randomUUID } from 'node:crypto';
import { PageIds } from '../../src/kernel/common';
import { DoubledService } from '../support/agent-server/doubled-service';
import type { ErrorBody } from '../support/service/http';
import { type DocumentedOperation, operationsOf } from './operations';

/** What no list has ever answered. */
const GARBAGE = [
  '',
  'x',
  '0',
  '17',
  'null',
  '%00',
  '%F0%9F%98%80',
  randomUUID(),
  'NPM_TOKEN',
  `1795253400000-${randomUUID()}`,
  Buffer.from('[]').toString('base64url'),
  Buffer.from(JSON.stringify([new Date().toISOString(), randomUUID()])).toString('base64url'),
  PageIds.byId('another list').write(randomUUID()),
  PageIds.byTime('another list').write({ at: new Date(), id: randomUUID() }),
  'x'.repeat(5_000),
  // Times that JavaScript or nobody can read, at the places of lists.
  ...['sandboxes', 'start-tasks', 'webhook-deliveries', 'conversations CREATED_AT_DESC'].flatMap((list) =>
    ['0', '1 (x)', '2026', '+275760-09-13T00:00:00.000Z', '0000-01-01T00:00:00.000Z', 'x', null].map((at) =>
      Buffer.from(JSON.stringify([list, { at, id: randomUUID() }])).toString('base64url'),
    ),
  ),
];

interface Page {
  readonly items: readonly { readonly id?: string; readonly name?: string }[];
  readonly next_page_id: string | null;
}

describe('a page_id', () => {
  let doubled: DoubledService;
  let paged: DocumentedOperation[];
  let path: (operation: Pick<DocumentedOperation, 'path'>) => string;

  beforeAll(async () => {
    doubled = await DoubledService.start();
    const { service } = doubled;
    paged = operationsOf(service.app).filter(({ operation }) =>
      (operation.parameters ?? []).some((parameter) => 'name' in parameter && parameter.name === 'page_id'),
    );
    const { id } = await doubled.conversation();
    const { body } = await service.call<{ id: string }>(
      'POST',
      `/api/organizations/${service.owner.orgId}/webhooks`,
      { body: { url: 'https://example.com/hook', kinds: ['*'] } },
    );
    path = (operation) =>
      operation.path
        .replace('{org_id}', service.owner.orgId)
        .replace('{conversation_id}', id)
        .replace('{webhook_id}', body.id) +
      (operation.path.includes('/git/') ? '?provider=github&repository=acme/shop&' : '?');
  });
  afterAll(() => doubled.close());

  it('that the service never made is a 400 page_id_invalid at every operation that takes one', async () => {
    expect(paged.length).toBeGreaterThan(15);
    for (const operation of paged)
      for (const garbage of GARBAGE) {
        const response = await doubled.service.call<ErrorBody>('GET', `${path(operation)}page_id=${garbage}`);
        expect([operation.title, garbage, response.status, response.body.code]).toEqual([
          operation.title,
          garbage,
          400,
          'page_id_invalid',
        ]);
      }
  });

  it('of one list is none of another, nor of the same in another order', async () => {
    const { service } = doubled;
    for (let n = 0; n < 2; n++) await doubled.conversation({ title: `Title ${n}` });
    const search = '/api/v1/app-conversations/search?limit=1';
    const { body } = await service.call<Page>('GET', search);
    expect(body.next_page_id).not.toBeNull();
    for (const other of [
      `${search}&sort_order=TITLE&`,
      `${search}&sort_order=UPDATED_AT&`,
      '/api/v1/sandboxes/search?',
    ])
      expect((await service.call('GET', `${other}page_id=${body.next_page_id}`)).status).toBe(400);
    const edited = `${body.next_page_id?.slice(0, -2)}AA`;
    expect((await service.call('GET', `${search}&page_id=${edited}`)).status).toBe(400);
    expect((await service.call('GET', `${search}&page_id=${body.next_page_id}=`)).status).toBe(400);
  });

  it('whose item is gone goes on behind it', async () => {
    const { service } = doubled;
    const secrets = '/api/v1/secrets';
    for (const name of ['A', 'B', 'C', 'D'])
      expect((await service.call('POST', secrets, { body: { name, value: 'x' } })).status).toBe(201);
    const next = async (base: string): Promise<{ id: string; rest: () => Promise<Page['items']> }> => {
      const first = await service.call<Page>('GET', `${base}limit=1`);
      const id = first.body.next_page_id ?? '';
      expect(id).not.toBe('');
      return {
        id,
        rest: async () => (await service.call<Page>('GET', `${base}page_id=${id}`)).body.items,
      };
    };
    const ofSecrets = await next(`${secrets}/search?`);
    await service.call('DELETE', `${secrets}/B`);
    expect((await ofSecrets.rest()).map(({ name }) => name)).toEqual(['C', 'D']);

    for (const [base, table] of [
      ['/api/v1/sandboxes/search?', 'sandboxes'],
      ['/api/v1/app-conversations/search?', 'conversations'],
    ] as const) {
      const { rest } = await next(base);
      const before = await rest();
      expect(before.length).toBeGreaterThan(1);
      await service.app.db.query(`DELETE FROM ${table} WHERE id = $1`, [before[0]?.id]);
      expect((await rest()).map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id));
    }
  });
});
