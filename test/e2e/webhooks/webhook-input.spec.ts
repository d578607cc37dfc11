import { HostLookup } from '../../../src/kernel/common';
import { startTestApp, type TestApp } from '../../support/service/app';
import { WebhookOrg } from '../../support/webhooks/webhook-org';

interface Fault {
  readonly loc: readonly (string | number)[];
  readonly type: string;
  readonly msg: string;
  readonly input?: unknown;
}

const FIELDS = { url: 'https://hooks.example/x', kinds: ['*'] };
const CONVERSATION = 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c';

/** What is sent wrongly, in place of what, and how it is refused: the type of the fault, and the field. */
type Refused = readonly [what: string, change: object, type: string, field: string];

const REFUSED: readonly Refused[] = [
  ['without an address', { url: undefined }, 'missing', 'url'],
  ['without kinds', { kinds: undefined }, 'missing', 'kinds'],
  ['with an empty list of kinds', { kinds: [] }, 'too_short', 'kinds'],
  ['with a thousand kinds', { kinds: Array.from({ length: 1_000 }, (_, n) => `k${n}`) }, 'too_long', 'kinds'],
  ['with a kind of 101 characters', { kinds: ['k'.repeat(101)] }, 'string_too_long', 'kinds'],
  ...['', ' ', 'a b', '.a', 'a.', 'a..b', '1a', '**', 'a*', '*.a', 'a.*.b', 'a.*.*', 'ä', 'a\u0000'].map(
    (kind): Refused => [
      `with the malformed kind ${JSON.stringify(kind)}`,
      { kinds: [kind] },
      'value_error',
      'kinds',
    ],
  ),
  ['with a kind that is no text', { kinds: [1] }, 'string_type', 'kinds'],
  ['at another scheme', { url: 'ftp://hooks.example/' }, 'value_error', 'url'],
  ['at http', { url: 'http://hooks.example/' }, 'value_error', 'url'],
  ['at an address with a password', { url: 'https://a:hidden@hooks.example/' }, 'value_error', 'url'],
  ['at an address with a user', { url: 'https://hidden@hooks.example/' }, 'value_error', 'url'],
  ['at an address with a fragment', { url: 'https://hooks.example/#x' }, 'value_error', 'url'],
  ['at too long an address', { url: `https://hooks.example/${'x'.repeat(2_048)}` }, 'string_too_long', 'url'],
  ...[
    'https://127.0.0.1/',
    'http://127.0.0.1:8091/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/',
    'https://168.63.129.16/',
    'https://[64:ff9b::a83f:8110]/',
    'https://140.82.112.3:0/',
    'https://localhost/',
    'https://database/',
  ].map((url): Refused => [`at ${url}`, { url }, 'value_error', 'url']),
  ['with an empty list of conversations', { conversation_ids: [] }, 'too_short', 'conversation_ids'],
  ['of something that is no conversation', { conversation_ids: ['x'] }, 'uuid_parsing', 'conversation_ids'],
  [
    'of 101 conversations',
    { conversation_ids: Array.from({ length: 101 }, () => CONVERSATION) },
    'too_long',
    'conversation_ids',
  ],
  ['with no tag in its tags', { tags: {} }, 'value_error', 'tags'],
  ['with a tag that is no text', { tags: { a: 1 } }, 'string_type', 'tags'],
  ['with a long name of a tag', { tags: { ['a'.repeat(101)]: 'x' } }, 'value_error', 'tags'],
  ['with too long a description', { description: 'd'.repeat(501) }, 'string_too_long', 'description'],
];

let app: TestApp;
// No worker: nothing is sent.
beforeAll(
  async () =>
    (app = await startTestApp({
      env: { APP_ROLE: 'api', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1:8090,[::1]:8090' },
    })),
);
afterAll(() => app.close());

const faultsOf = ({ body }: { readonly body: unknown }): readonly Fault[] =>
  (body as { detail: readonly Fault[] }).detail;

describe('what is said of a webhook', () => {
  it.each(REFUSED)('makes none %s', async (_, change, type, field) => {
    const org = await WebhookOrg.make(app);
    const refused = await org.send('POST', [], { ...FIELDS, ...change });
    expect(refused.status).toBe(422);
    const [fault, ...others] = faultsOf(refused);
    expect([fault?.type, fault?.loc.slice(0, 2), others]).toEqual([type, ['body', field], []]);
    expect(JSON.stringify(refused.body)).not.toContain('hidden');
    expect((await org.send<unknown>('GET', [])).body).toEqual({ items: [], next_page_id: null });
  });

  it('is refused with the reason', async () => {
    const org = await WebhookOrg.make(app);
    const reasonFor = async (url: string) => faultsOf(await org.send('POST', [], { ...FIELDS, url }))[0]?.msg;
    expect(await reasonFor('https://10.0.0.1/')).toBe(
      'Value error, the host 10.0.0.1 is not at a public address',
    );
    expect(await reasonFor('http://hooks.example/')).toBe(
      'Value error, the host hooks.example is called by https only',
    );
    expect(await reasonFor('ftp://hooks.example/')).toBe(
      'Value error, the address must be of https, as https://host/path',
    );
  });

  it.each(['http://127.0.0.1:8090/', 'https://127.0.0.1:8090/x', 'http://[::1]:8090/', 'http://127.1:8090/'])(
    'may be at %s, a host that the operator allows',
    async (url) => {
      const org = await WebhookOrg.make(app);
      expect((await org.webhook({ url })).enabled).toBe(true);
    },
  );

  it('is checked by the addresses of its host, whenever it changes', async () => {
    const lookup = app.app.get(HostLookup, { strict: false });
    const asked = jest.spyOn(lookup, 'ofUntrusted').mockResolvedValue(['10.0.0.1']);
    const org = await WebhookOrg.make(app);
    try {
      expect((await org.send('POST', [], FIELDS)).status).toBe(422);
      asked.mockResolvedValue(['140.82.112.3']);
      const { id } = await org.webhook();
      asked.mockResolvedValue(['140.82.112.3', '127.0.0.1']);
      expect((await org.send('PATCH', [id], { url: 'https://other.example/' })).status).toBe(422);
      expect((await org.send('GET', [id])).body.url).toBe(FIELDS.url);
    } finally {
      asked.mockRestore();
    }
  });
});
