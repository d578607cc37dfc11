import { RetentionFixture } from '../../support/retention/retention-fixture';
import { rounds } from '../../support/rounds';

/** A million events where `LONG=yes` asks for them. */
const CONVERSATIONS = rounds(1_000, 40);
const EVENTS = rounds(1_000, 500);
const DAY_MS = 86_400_000;

interface Stats extends Readonly<Record<string, unknown>> {
  readonly usage: Readonly<Record<string, number>>;
  readonly removed: Readonly<Record<string, number>>;
}

interface Figures {
  readonly totals: readonly unknown[];
  readonly stats: Stats;
  readonly usage: unknown;
}

describe(`${CONVERSATIONS * EVENTS} events that are removed`, () => {
  let fixture: RetentionFixture;
  beforeAll(async () => {
    fixture = await RetentionFixture.start();
    for (let n = 0; n < CONVERSATIONS; n++) await fixture.store({ days: 60, events: EVENTS, cost: n / 4 });
    for (let n = 0; n < 5; n++) await fixture.store({ days: 2, events: 10, cost: 1 });
  }, 900_000);
  afterAll(() => fixture.close());

  /** All that the service says of the organization as a whole. */
  async function figures(): Promise<Figures> {
    const from = new Date(Date.now() - 300 * DAY_MS).toISOString().slice(0, 10);
    const filters = [
      '',
      '&execution_status=finished',
      '&time_window=90d',
      '&search=secret',
      '&accurate_totals=true',
    ];
    const totals = [];
    for (const filter of filters)
      totals.push(
        (await fixture.get<{ total_items: number }>(`/conversations?limit=1${filter}`)).total_items,
      );
    const usage = [];
    for (const group of ['day', 'user', 'model', 'repository', 'tag'])
      usage.push(await fixture.get(`/usage?from=${from}&group_by=${group}`));
    return { totals, stats: await fixture.get<Stats>('/conversations/stats'), usage };
  }

  const events = async (): Promise<{ count: number; counted: boolean }> => {
    const [row] = await fixture.db.query<[{ count: number; counted: boolean }]>(
      `SELECT (SELECT count(*)::int FROM events) AS count,
              (SELECT sum(bytes) FROM event_bytes) = (SELECT sum(octet_length(payload)) FROM events) AS counted`,
    );
    return row;
  };

  it('change no total and no figure; conversations then leave what lists count, and their figures stay as sums', async () => {
    const before = await figures();
    await fixture.keep({ events_days: 30 });
    expect(await fixture.announcedRun()).toMatchObject({
      removed: { events: { items: CONVERSATIONS * EVENTS, bytes: CONVERSATIONS * EVENTS * 100 } },
    });
    expect(await events()).toEqual({ count: 50, counted: true });
    expect(await figures()).toEqual(before);

    await fixture.keep({ conversations_days: 30 });
    expect(await fixture.announcedRun()).toMatchObject({
      removed: { conversations: { items: CONVERSATIONS } },
    });
    const after = await figures();
    expect(after.totals).toEqual([5, 5, 5, 5, 5]);
    expect(after.usage).toEqual(before.usage);
    expect(after.stats).toMatchObject({ total_conversations: 5, removed: { conversations: CONVERSATIONS } });
    for (const [name, amount] of Object.entries(before.stats.usage))
      expect([name, (after.stats.usage[name] ?? 0) + (after.stats.removed[name] ?? 0)]).toEqual([
        name,
        amount,
      ]);
    expect(await events()).toEqual({ count: 50, counted: true });
  }, 900_000);
});
