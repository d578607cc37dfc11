import { DataSource } from 'typeorm';
import { RetentionRuns } from '../../../src/operations/retention';
import { Removals } from '../../../src/operations/retention/runs/removals';
import { RetentionFixture } from '../../support/retention/retention-fixture';
import { startTestApp, type TestApp } from '../../support/service/app';

describe('runs of retention', () => {
  let fixture: RetentionFixture;
  let base: RetentionFixture;
  let second: TestApp;
  beforeAll(async () => {
    base = await RetentionFixture.start();
    second = await startTestApp({ database: base.app.database, env: { APP_ROLE: 'api' } });
  });
  beforeEach(async () => {
    fixture = await base.another();
    await fixture.keep({ conversations_days: 30, events_days: 20 });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await second.close();
    await base.close();
  });

  const other = (): RetentionRuns => second.app.get(RetentionRuns, { strict: false });

  /** Ends the claim of a run that has died. */
  const lapse = (): Promise<unknown> =>
    fixture.db.query(
      `UPDATE retention_runs SET claimed_until = now() - interval '1 second' WHERE org_id = $1`,
      [fixture.orgId],
    );

  const removedTogether = async (): Promise<unknown> =>
    (await fixture.recorded()).map(({ changes }) => changes[0]?.after);

  it('of two replicas at the same time remove each thing once, and are one row', async () => {
    for (let n = 0; n < 10; n++) await fixture.store({ days: 25 + n, events: 500 });
    await fixture.run();
    await fixture.weekLater();
    const runs = await Promise.all([
      fixture.runs.run(fixture.orgId, 'system'),
      other().run(fixture.orgId, 'system'),
      fixture.runs.run(fixture.orgId, 'operator'),
    ]);
    expect(runs.map(({ is_busy }) => is_busy).sort()).toEqual([false, true, true]);
    expect(await removedTogether()).toEqual([
      { events: { items: 5_000, bytes: 500_000 }, conversations: { items: 5, bytes: 0 } },
    ]);
  });

  it('go on where one was that died, and record what both have removed', async () => {
    for (let n = 0; n < 6; n++) await fixture.store({ days: 100, events: 1_000 });
    await fixture.run();
    await fixture.weekLater();
    const removals = fixture.app.app.get(Removals, { strict: false });
    const events = removals.all.find(({ kind }) => kind === 'events')!;
    let batches = 0;
    const removeSome = events.run.bind(events);
    jest.spyOn(events, 'run').mockImplementation((transaction, chunk) => {
      if (++batches === 3) throw new Error('killed');
      return removeSome(transaction, chunk);
    });
    await expect(fixture.run()).rejects.toThrow('killed');
    expect(await fixture.recorded()).toEqual([]);
    const left = await fixture.db.query<[{ count: number }]>(
      'SELECT count(*)::int FROM events e JOIN event_logs l USING (conversation_id) WHERE l.org_id = $1',
      [fixture.orgId],
    );
    expect(left[0].count).toBeLessThan(6_000);
    expect(left[0].count).toBeGreaterThan(0);
    jest.restoreAllMocks();
    await other().run(fixture.orgId, 'system');
    expect(await removedTogether()).toEqual([
      { events: { items: 6_000, bytes: 600_000 }, conversations: { items: 6, bytes: 0 } },
    ]);
  });

  it('that were suspended for too long write nothing more', async () => {
    await fixture.store({ days: 100, events: 10 });
    await fixture.run();
    await fixture.weekLater();
    const removals = fixture.app.app.get(Removals, { strict: false });
    const events = removals.all.find(({ kind }) => kind === 'events')!;
    let late: unknown;
    jest.spyOn(events, 'run').mockImplementation(async () => {
      await lapse();
      late = await other().run(fixture.orgId, 'system');
      return { items: 1_000_000, bytes: 1 };
    });
    expect(await fixture.run()).toMatchObject({ is_busy: true, removed: {} });
    expect(late).toMatchObject({
      is_busy: false,
      removed: { events: { items: 10 }, conversations: { items: 1 } },
    });
    expect(await removedTogether()).toEqual([
      { events: { items: 10, bytes: 1_000 }, conversations: { items: 1, bytes: 0 } },
    ]);
  });

  it('stop with the service, and go on later', async () => {
    for (let n = 0; n < 3; n++) await fixture.store({ days: 100 });
    await fixture.run();
    await fixture.weekLater();
    const stop = new AbortController();
    const transaction = jest.spyOn(fixture.app.app.get(DataSource), 'transaction');
    const runs = fixture.runs.runAll('system', fixture.orgId, stop.signal);
    while (transaction.mock.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    stop.abort(new Error('the service stops'));
    await expect(runs).rejects.toThrow('the service stops');
    expect(await fixture.run()).toMatchObject({ is_busy: false });
    expect(await fixture.listed()).toEqual([]);
    expect(await fixture.recorded()).toHaveLength(1);
  });

  it('go through all organizations that keep something for some days, and none else', async () => {
    const [one, two, unset] = [await base.another(), await base.another(), await base.another()];
    for (const each of [one, two, unset]) await each.store({ days: 100, events: 1 });
    for (const each of [one, two]) await each.keep({ events_days: 10 });
    await fixture.runs.runAll('system');
    for (const each of [one, two]) await each.weekLater();
    const results = await fixture.runs.runAll('operator');
    const ids = results.map(({ org_id }) => org_id);
    expect(ids).toEqual(expect.arrayContaining([one.orgId, two.orgId]));
    expect(ids).not.toContain(unset.orgId);
    expect((await one.recorded()).map(({ actor }) => actor.kind)).toEqual(['operator']);
  });
});
