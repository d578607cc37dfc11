import { DoubledService } from '../support/agent-server/doubled-service';

interface Page {
  readonly items: readonly { readonly title?: string; readonly name?: string }[];
}

/** Texts that are equal to who reads them. */
const EQUAL = [
  ['Caf\u00e9 open', 'cafe\u0301 OPEN'],
  ['Cafe\u0301 closed', 'CAF\u00c9 closed'],
  ['Οδυσσεύς sails', 'ΟΔΥΣΣΕΎΣ Sails'],
  ['ΟΔΥΣΣΕΎΣ returns', 'οδυσσεύς returns'],
  ['Ｆｕｌｌ width', 'full WIDTH'],
  ['half width', 'ＨＡＬＦ'],
  ['per cent 9%', '9％'],
  ['a ﬁne title', 'FINE title'],
  ['ﾊﾝｶｸ text', 'ハンカク'],
] as const;

describe('equal texts', () => {
  let doubled: DoubledService;
  beforeAll(async () => (doubled = await DoubledService.start()));
  afterAll(() => doubled.close());

  it('are found in titles, by members and by their organization', async () => {
    const { service } = doubled;
    for (const [title] of EQUAL) await doubled.conversation({ title });
    await doubled.conversation({ title: 'something else, 90 of 100' });
    const lists = [
      '/api/v1/app-conversations/search?title__contains=',
      `/api/organizations/${service.owner.orgId}/conversations?search=`,
    ];
    for (const list of lists)
      for (const [title, wanted] of EQUAL) {
        const { body } = await service.call<Page>('GET', list + encodeURIComponent(wanted));
        expect([list, wanted, body.items.map((item) => item.title)]).toEqual([list, wanted, [title]]);
      }
  });

  it('are found in names of people and of secrets', async () => {
    const { service } = doubled;
    await service.app.db.query(`UPDATE users SET name = $1 WHERE id = $2`, [
      'Ζωή Αγγελόπουλος',
      service.owner.userId,
    ]);
    const list = `/api/organizations/${service.owner.orgId}/conversations?search=`;
    const found = await service.call<Page>('GET', list + encodeURIComponent('ΑΓΓΕΛΌΠΟΥΛΟΣ'));
    expect(found.body.items.length).toBeGreaterThan(1);
    await service.call('POST', '/api/v1/secrets', { body: { name: 'NPM_TOKEN', value: 'x' } });
    const path = `/api/v1/secrets/search?name__contains=${encodeURIComponent('ｔｏｋｅｎ')}`;
    expect((await service.call<Page>('GET', path)).body.items).toMatchObject([{ name: 'NPM_TOKEN' }]);
  });
});
