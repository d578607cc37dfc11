import { startSmtpSink, type SmtpSink } from '../../support/invitations/smtp-sink';
import { eventually } from '../../support/eventually';
import { RetentionFixture } from '../../support/retention/retention-fixture';
import { makeCaller, makeMember, makeUser } from '../../support/service/factories';

const DAY_MS = 86_400_000;

interface Due {
  readonly removal_at: string;
  readonly due: readonly { what: string; days: number; items: number; bytes: number }[];
}

describe('what is about to go', () => {
  let base: RetentionFixture;
  let fixture: RetentionFixture;
  beforeAll(async () => (base = await RetentionFixture.start()));
  beforeEach(async () => (fixture = await base.another()));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => base.close());

  const told = (): Promise<Due[]> => fixture.happened<Due>('retention.due');

  it('is announced a week before, once, and goes then', async () => {
    await fixture.keep({ conversations_days: 30 });
    const id = await fixture.store({ days: 100, events: 3 });
    await fixture.run();
    await fixture.run();
    const [announced, ...more] = await told();
    expect(more).toEqual([]);
    expect(announced).toMatchObject({ due: [{ what: 'conversations', days: 30, items: 1, bytes: 300 }] });
    expect(Date.parse(announced!.removal_at)).toBeGreaterThan(Date.now() + 7 * DAY_MS - 60_000);

    fixture.passDays(6.9);
    await fixture.run();
    expect(await fixture.listed()).toEqual([id]);
    fixture.passDays(0.2);
    await fixture.run();
    expect(await fixture.listed()).toEqual([]);
    expect(await told()).toHaveLength(1);
  });

  it('is announced for two weeks at once, and goes on its day once it was', async () => {
    await fixture.keep({ conversations_days: 30 });
    const soon = await fixture.store({ days: 21 });
    const later = await fixture.store({ days: 18 });
    const muchLater = await fixture.store({ days: 10 });
    await fixture.run();
    expect(await told()).toMatchObject([{ due: [{ items: 2 }] }]);
    fixture.passDays(8.5);
    await fixture.run();
    expect((await fixture.listed()).sort()).toEqual([soon, later, muchLater].sort());
    fixture.passDays(1);
    await fixture.run();
    expect((await fixture.listed()).sort()).toEqual([later, muchLater].sort());
    fixture.passDays(3);
    await fixture.run();
    expect(await fixture.listed()).toEqual([muchLater]);
    expect((await told()).map(({ due }) => due[0]?.items)).toEqual([2, 1]);
    fixture.passDays(8);
    await fixture.run();
    expect(await fixture.listed()).toEqual([]);
    expect(await told()).toHaveLength(2);
  });

  it('is announced anew where less is kept than was announced', async () => {
    await fixture.keep({ events_days: 300 });
    const id = await fixture.store({ days: 50, events: 3 });
    await fixture.run();
    fixture.passDays(8);
    await fixture.run();
    expect(await told()).toEqual([]);
    await fixture.keep({ events_days: 40 });
    await fixture.run();
    expect(await told()).toMatchObject([{ due: [{ what: 'events', days: 40, items: 3 }] }]);
    const events = () => fixture.db.query<object[]>('SELECT 1 FROM events WHERE conversation_id = $1', [id]);
    expect(await events()).toHaveLength(3);
    fixture.passDays(7.1);
    await fixture.run();
    expect(await events()).toEqual([]);
  });

  it('is announced anew where nothing went for a while', async () => {
    await fixture.keep({ events_days: 40 });
    await fixture.store({ days: 50, events: 3 });
    await fixture.run();
    await fixture.keep({});
    fixture.passDays(8);
    await fixture.run();
    await fixture.keep({ events_days: 40 });
    expect(await fixture.run()).toMatchObject({ removed: {} });
    expect(await told()).toHaveLength(2);
  });

  it('stays where somebody uses it meanwhile', async () => {
    await fixture.keep({ conversations_days: 30 });
    const id = await fixture.store({ days: 100 });
    await fixture.run();
    await fixture.db.query('UPDATE conversations SET updated_at = now() WHERE id = $1', [id]);
    fixture.passDays(20);
    await fixture.run();
    expect(await fixture.listed()).toEqual([id]);
  });
});

describe('a warning by mail', () => {
  let fixture: RetentionFixture;
  let mail: SmtpSink;
  beforeAll(async () => {
    mail = await startSmtpSink();
    const env = { APP_ROLE: 'all', SMTP_URL: mail.url, MAIL_FROM: 'service@example.com' };
    fixture = await RetentionFixture.start({ env });
  });
  afterAll(async () => {
    await fixture.close();
    await mail.close();
  });

  it('goes to the owners who can sign in, and says how many of what go when', async () => {
    const second = await makeMember(fixture.db, fixture.orgId, 'owner');
    await makeCaller(fixture.db, fixture.orgId, 'admin');
    await makeMember(fixture.db, fixture.orgId, 'owner', await makeUser(fixture.db, { disabled: true }));
    await fixture.keep({ conversations_days: 30, events_days: 60 });
    await fixture.store({ days: 100, events: 4 });
    await fixture.store({ days: 40 });
    await fixture.run();
    await eventually(() => expect(mail.received).toHaveLength(2));
    expect(mail.received.map(({ to }) => to[0]).sort()).toEqual([fixture.owner.email, second.email].sort());
    const text = JSON.stringify(mail.received[0]);
    expect(text).toContain('2 conversations, after 30 days without activity');
    expect(text).toContain('4 events, after 60 days without activity');
  });
});
