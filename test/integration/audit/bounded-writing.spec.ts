import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { AuditWriter } from '../../../src/kernel/audit/writing/audit-writer';
import type { PendingRow } from '../../../src/kernel/audit/writing/pending-rows';
import { AuditEvents, type AuditFields } from '../../../src/kernel/domain-events';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { ask } from '../../support/database/ask';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { ScrapedMetrics } from '../../support/telemetry/scraped-metrics';
import { recorded } from '../../support/audit/audit-rows';

const DROPPED = 'audit_rows_dropped_total';

let database: TestDatabase;
let app: TestApp;
let writer: AuditWriter;
beforeEach(async () => {
  database = await createTestDatabase();
  app = await startTestApp({ env: { APP_ROLE: 'api' }, database });
  writer = app.app.get(AuditWriter, { strict: false });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await app.close();
  await database.drop();
});

/** A row of a call that is over. @param what its action */
function pending(what: string, fields: Partial<AuditFields> = {}): PendingRow {
  const { kind: _, ...row } = recorded(null, { action: what, changes: null, ...fields });
  return { fields: row, credential: null, mayBeIn: [] };
}

async function written(action: string): Promise<number> {
  const [row] = await ask(
    database.url,
    `SELECT count(*)::int AS count FROM domain_events WHERE kind = 'audit.recorded' AND event ->> 'action' = $1`,
    [action],
  );
  return Number(row?.count);
}

async function dropped(): Promise<number> {
  return (await ScrapedMetrics.of(app)).value(DROPPED) ?? NaN;
}

/** A refused call of somebody. */
function refusedOf(what: string, userId: string): PendingRow {
  const actor = { kind: 'user', user_id: userId, key_prefix: null, session: false } as const;
  return pending(what, { outcome: 'refused', status: 403, code: 'permission_denied', actor });
}

it('a flood of refused calls of one caller loses what is beyond 200 a second, counted, and none of others', async () => {
  const [flooding, other] = [randomUUID(), randomUUID()];
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  for (let n = 0; n < 3_000; n++) {
    writer.add(refusedOf('flooded', flooding));
    if (n % 100 === 0) writer.add(refusedOf('refused', other));
  }
  await eventually(async () => expect(await written('refused')).toBe(30));
  const kept = await written('flooded');
  // A second may have ended meanwhile.
  expect(kept >= 200 && kept <= 400).toBe(true);
  expect(await dropped()).toBe(3_000 - kept);
});

it('a flood of refused calls loses what is beyond 1,000 a second, counted, and nothing of what was done', async () => {
  const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const callers = Array.from({ length: 90 }, () => randomUUID());
  for (let n = 0; n < 9_000; n++) {
    writer.add(refusedOf('flooded', callers[n % callers.length] ?? ''));
    if (n % 10 === 0) writer.add(pending('done'));
  }
  await eventually(async () => expect(await written('done')).toBe(900));
  const kept = await written('flooded');
  // A second may have ended meanwhile.
  expect(kept >= 1_000 && kept <= 2_000).toBe(true);
  expect(await dropped()).toBe(9_000 - kept);
  expect(log.mock.calls.filter(([, text]) => /audit_rows_dropped_total/.test(String(text)))).toHaveLength(1);
});

describe('while the database is away', () => {
  let isAway: boolean;
  beforeEach(() => {
    isAway = true;
    const events = app.app.get(AuditEvents, { strict: false });
    const store = events.addAll.bind(events);
    jest
      .spyOn(events, 'addAll')
      .mockImplementation((rows) =>
        isAway ? Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })) : store(rows),
      );
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });

  it('10,000 rows wait, and are written when it is back, each once; those beyond are counted', async () => {
    for (let n = 0; n < 12_000; n++) writer.add(pending('waited', { request_id: `${n}` }));
    expect(await dropped()).toBe(2_000);
    isAway = false;
    await eventually(async () => expect(await written('waited')).toBe(10_000), 20_000);
    const [row] = await ask(
      database.url,
      `SELECT count(DISTINCT event ->> 'request_id')::int AS count, max((event ->> 'request_id')::int)::int AS last FROM domain_events`,
    );
    expect(row).toEqual({ count: 10_000, last: 9_999 });
    writer.add(pending('afterwards'));
    await eventually(async () => expect(await written('afterwards')).toBe(1));
  });

  it('no more than 8 MiB wait', async () => {
    const target = { type: 'conversation', id: 'x'.repeat(20_000) };
    for (let n = 0; n < 2_000; n++) writer.add(pending('large', { target }));
    const lost = await dropped();
    expect((2_000 - lost) * 20_000).toBeLessThan(8 * 1024 * 1024);
    expect(lost).toBeLessThan(2_000 - 300);
  });
});

it('a service that stops writes what waits', async () => {
  const { key, orgId } = await makeCaller(app.db, (await makeOrg(app.db)).id);
  const ids = Array.from({ length: 5 }, () => randomUUID());
  for (const id of ids) {
    const options = { key, body: { name: 'x' }, headers: { 'X-Request-Id': id } };
    expect((await call(app, 'POST', `/api/organizations/${orgId}/roles`, options)).status).toBe(403);
  }
  writer.add(pending('last'));
  await app.close();
  const rows = await ask(
    database.url,
    `SELECT event ->> 'request_id' AS id FROM domain_events WHERE event ->> 'request_id' = ANY ($1)`,
    [ids],
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(await written('last')).toBe(1);
  app = await startTestApp({ env: { APP_ROLE: 'api' }, database });
});
