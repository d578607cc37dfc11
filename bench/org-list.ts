/**
 * The organization list at several sizes: requests per second, p50 and p99 of the service, with authentication
 * and logging on, and the ratio to a bare server that sends the rows of the same queries. Service and bare
 * server take turns and the best round counts, because other work on the machine only makes a round slower.
 *
 *   DATABASE_URL=postgres://… npm run bench -- org-list [--json] [--seconds 1] [--rounds 2]
 *
 * Fill the database with `npm run bench:seed` and build first.
 */
import { randomUUID } from 'node:crypto';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';
import { Pool } from 'undici';
import { displayPrefix, newKey } from '../src/api-keys/key-format';
import { digestOf } from '../src/common';
import { createDataSource } from '../src/database';
import { type BareCase, casesFor, pathOf, record } from './org-list-cases';
import { Service, startBare } from './org-list-processes';

const SIZES = [1_000, 10_000, 100_000, 500_000];
const CONNECTIONS = 4;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '2' },
  },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

interface Org {
  readonly id: string;
  readonly conversations: number;
  readonly key: string;
}

async function measure(port: number, path: string, key: string): Promise<Measured> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  const call = async (): Promise<void> => {
    const { statusCode, body } = await pool.request({
      path,
      method: 'GET',
      headers: { 'x-access-token': key },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${statusCode} for ${path}: ${text}`);
  };
  await call();
  const times: number[] = [];
  const end = performance.now() + SECONDS * 1_000;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const started = performance.now();
        await call();
        times.push(performance.now() - started);
      }
    }),
  );
  const elapsed = (performance.now() - began) / 1_000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => round(times[Math.floor(times.length * share)] ?? NaN);
  return { perSecond: round(times.length / elapsed), p50: at(0.5), p99: at(0.99) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const best = (a: Measured | undefined, b: Measured): Measured =>
  a === undefined || b.perSecond > a.perSecond ? b : a;

async function compare(servicePort: number, barePort: number | null, path: string, key: string) {
  let service: Measured | undefined;
  let bare: Measured | undefined;
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    service = best(service, await measure(servicePort, path, key));
    if (barePort !== null) bare = best(bare, await measure(barePort, path, key));
  }
  const ratio = service && bare ? round(service.perSecond / bare.perSecond) : null;
  return { ...service, ...(bare && { bare }), ratio };
}

/** The organizations nearest to the sizes, each with a key of an owner. */
async function organizations(database: DataSource): Promise<Org[]> {
  const held = await database.query<{ org_id: string; n: number }[]>(
    `SELECT org_id, sum(conversations)::integer AS n FROM conversation_counts
      WHERE day = '-infinity' AND NOT is_sub GROUP BY 1`,
  );
  const chosen = SIZES.map((size) => held.toSorted((a, b) => Math.abs(a.n - size) - Math.abs(b.n - size))[0]);
  const orgs: Org[] = [];
  for (const org of new Set(chosen)) {
    if (org === undefined) throw new Error('The database is empty: fill it with npm run bench:seed.');
    const [user, key] = [randomUUID(), newKey()];
    await database.query('INSERT INTO users (id, email) VALUES ($1, $2)', [
      user,
      `${user}@bench.example.com`,
    ]);
    await database.query(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'owner')`, [
      org.org_id,
      user,
    ]);
    await database.query('INSERT INTO api_keys (user_id, prefix, digest) VALUES ($1, $2, $3)', [
      user,
      displayPrefix(key),
      digestOf(key),
    ]);
    orgs.push({ id: org.org_id, conversations: org.n, key });
  }
  return orgs;
}

async function exported(service: Service, org: Org) {
  let resident = service.residentMebibytes();
  const watch = setInterval(() => {
    resident = Math.max(resident, service.residentMebibytes());
  }, 250);
  const began = performance.now();
  const response = await fetch(
    `http://127.0.0.1:${service.port}/api/organizations/${org.id}/conversations/export`,
    { headers: { 'x-access-token': org.key } },
  );
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  const seconds = (performance.now() - began) / 1_000;
  clearInterval(watch);
  return {
    rowsPerSecond: Math.round(org.conversations / seconds),
    mebibytes: round(bytes / 2 ** 20),
    processMebibytes: Math.round(resident),
  };
}

async function main(databaseUrl: string): Promise<void> {
  const database = await createDataSource(databaseUrl, 2).initialize();
  const orgs = await organizations(database);
  const cases: BareCase[] = [];
  for (const org of orgs) cases.push(...(await record(database, org.id, casesFor(org.conversations))));
  const service = await Service.start(databaseUrl);
  const bare = await startBare(databaseUrl, cases);
  try {
    const largest = orgs.at(-1);
    const exportResult = largest && (await exported(service, largest));
    const results = [];
    for (const org of orgs) {
      for (const [request, query] of Object.entries(casesFor(org.conversations)))
        results.push({
          ...{ conversations: org.conversations, request },
          ...(await compare(service.port, bare.port, pathOf(org.id, query), org.key)),
        });
      const stats = `/api/organizations/${org.id}/conversations/stats`;
      results.push({
        ...{ conversations: org.conversations, request: 'stats' },
        ...(await compare(service.port, null, stats, org.key)),
      });
      process.stderr.write(`${org.conversations} conversations\n`);
    }
    if (values.json) {
      const head = { measuredAt: new Date().toISOString(), machine: machine(), connections: CONNECTIONS };
      const rounds = { secondsEach: SECONDS, bestOfRounds: ROUNDS };
      const text = JSON.stringify({ ...head, ...rounds, results, export: exportResult }, null, 2);
      process.stdout.write(`${text}\n`);
    } else {
      console.table(results.map(({ bare: other, ...result }) => ({ ...result, bare: other?.perSecond })));
      console.table([exportResult]);
    }
  } finally {
    bare.stop();
    await service.stop();
    await database.destroy();
  }
}

function machine() {
  return {
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}

const url = process.env.DATABASE_URL;
if (url === undefined) throw new Error('Set DATABASE_URL to a database that bench:seed has filled.');
main(url).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
