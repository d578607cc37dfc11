import type { DataSource } from 'typeorm';
import { OrgListDatabase } from '../../../src/conversations/conversations/org-list/database/org-list-database';
import { createDataSource, isDatabaseUnavailable, PreparedStatement } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

const CONNECTIONS = 3;
/** Longer than a busy machine pauses: only a connection that is frozen says nothing for so long. */
const SILENCE_MS = 4_000;

/** A host that vanishes sends no farewell: its connections stay open and say nothing. */
describe('connections of a database host that vanished', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let source: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
    const url = `${proxy.url}?query_timeout=${SILENCE_MS}`;
    source = await createDataSource(url, CONNECTIONS).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await proxy.cut();
    await database.drop();
  });

  const prepared = new PreparedStatement<{ one: number }>('one', 'SELECT 1 AS one');
  const ways: [string, (database: DataSource) => Promise<unknown>][] = [
    ['a statement', (database) => database.query('SELECT 1')],
    ['a transaction', (database) => database.transaction((manager) => manager.query('SELECT 1'))],
    ['a prepared statement', (database) => prepared.rows(database, [])],
  ];

  /** As many calls as there are connections, each on its own. */
  const onEach = (
    work: (database: DataSource) => Promise<unknown>,
  ): Promise<PromiseSettledResult<unknown>[]> =>
    Promise.allSettled(Array.from({ length: CONNECTIONS }, () => work(source)));

  it.each(ways)('cost %s one wait each, and are replaced', async (_, work) => {
    // Also where another test has left connections that say nothing.
    await eventually(async () => {
      const opened = await onEach((each) => each.query('SELECT pg_sleep(0.05)'));
      expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 'fulfilled'));
    });
    proxy.freeze();
    const began = awakeMs();
    const lost = await onEach(work);
    expect(awakeMs() - began).toBeLessThan(timeBound(2 * SILENCE_MS));
    const isAway = (each: PromiseSettledResult<unknown>): boolean =>
      each.status === 'rejected' && isDatabaseUnavailable(each.reason);
    expect(lost.filter((each) => !isAway(each))).toEqual([]);
    const next = await onEach(work);
    expect(next.map(({ status }) => status)).toEqual(next.map(() => 'fulfilled'));
  });

  it('are replaced among those of the organization list too', async () => {
    const list = new OrgListDatabase(source);
    const gone = new AbortController().signal;
    const read = (): Promise<unknown> => list.rows('SELECT 1 AS one', [], { gone });
    await read();
    proxy.freeze();
    await expect(read()).rejects.toMatchObject({ code: 'conversations_unavailable' });
    await expect(read()).resolves.toEqual([{ one: 1 }]);
    await list.onApplicationShutdown();
  });
});
