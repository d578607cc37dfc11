import { createServer, type Server } from 'node:net';
import type { Pool } from 'pg';
import { createDataSource, openPool } from '../../../src/kernel/database';
import { migrateJobs } from '../../../src/kernel/jobs';
import { ask } from '../../support/database/ask';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { freePort } from '../../support/service/free-port';
import { adminShutdown, startTcpProxy } from '../../support/service/tcp-proxy';

/** Ends the other sessions of a database, as a server does that stops. */
const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

describe('a pool whose connections the server ends', () => {
  let database: TestDatabase;
  let pool: Pool;
  let losses: unknown[];
  beforeEach(async () => {
    database = await createEmptyDatabase();
    losses = [];
    pool = openPool({ connectionString: database.url, max: 1 }, (error) => losses.push(error));
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const told = (): Promise<void> =>
    eventually(() => expect(losses).toContainEqual(expect.objectContaining({ code: '57P01' })));

  it('opens another in place of an idle one', async () => {
    await pool.query('SELECT 1');
    await expect(ask(database.url, END_SESSIONS)).resolves.toHaveLength(1);
    await told();
    await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('takes a connection back once, however often it is given back', async () => {
    const release = await new Promise<(error?: Error) => void>((resolve, reject) =>
      pool.connect((error, _client, given) => (error ? reject(error) : resolve(given))),
    );
    release();
    release();
    await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  });

  it('tells the next query on one in use, not the process', async () => {
    const client = await pool.connect();
    await expect(ask(database.url, END_SESSIONS)).resolves.toHaveLength(1);
    await told();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
  });
});

describe('a server that stops in the moment in which it takes a session', () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    const authenticationOk = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
    const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      // In one packet: the client reads all of it before whoever waits for the connection goes on.
      socket.once('data', () =>
        socket.end(Buffer.concat([authenticationOk, readyForQuery, adminShutdown()])),
      );
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    url = `postgres://somebody@127.0.0.1:${port}/any`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('fails who asked for a connection of the service, and does not end the process', async () => {
    await expect(createDataSource(url, 1).initialize()).rejects.toThrow();
  });

  it('fails who asked for a connection of a pool', async () => {
    const pool = openPool({ connectionString: url, max: 1 });
    const client = await pool.connect();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    await pool.end();
  });
});

describe('a pool of a database that becomes read-only', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    pool = openPool({ connectionString: database.url, max: 1 });
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const process = async (): Promise<unknown> =>
    (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;

  it('keeps no session that began so, though it was never asked to write', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await ask(database.url, `ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    await pool.query('SELECT 1');
    expect(pool.idleCount).toBe(0);
    await ask(
      `${database.url}?options=-c%20default_transaction_read_only%3Doff`,
      `ALTER DATABASE "${name}" RESET default_transaction_read_only`,
    );
    await expect(pool.query('CREATE TABLE written ()')).resolves.toBeDefined();
    expect(pool.idleCount).toBe(1);
  });

  it('keeps one that takes writes again when it is given back', async () => {
    const begun = await process();
    const client = await pool.connect();
    await client.query('SET default_transaction_read_only = on');
    await client.query('SET default_transaction_read_only = off');
    client.release();
    await expect(process()).resolves.toBe(begun);
  });
});

describe('the migration of the tables of the jobs', () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await createEmptyDatabase()));
  afterEach(() => database.drop());

  it('outlives a server that stops while its connections are being closed', async () => {
    const proxy = await startTcpProxy(database.url);
    const stopped = proxy.stopAtTermination();
    await migrateJobs(proxy.url);
    await eventually(() => expect(stopped()).toBeGreaterThan(0));
    await proxy.cut();
    await expect(ask(database.url, 'SELECT id FROM graphile_worker.jobs')).resolves.toEqual([]);
  });
});
