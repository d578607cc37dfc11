/**
 * The organization list at several sizes: requests per second, p50 and p99 of the service, with authentication
 * and logging on, the processor time that it takes for each, and the ratio to a bare server that sends the rows of the same queries, and where the service
 * prepares its statement also to one that does so (`ratioPrepared`); p50 of one caller alone; the totals without
 * their request; and the export of the largest organization. With `--fastapi` also the ratio to a FastAPI service over
 * the same tables (`ratioFastApi`), which needs Python. Service and other servers take turns and the best
 * round counts, because other work on the machine only makes a round slower.
 *
 *   DATABASE_URL=postgres://… npm run bench -- org-list [--json] [--seconds 1] [--rounds 2] [--connections 4]
 *     [--sizes 1000,500000] [--requests 'sort|export'] [--fastapi]
 *
 * Fill the database with `npm run bench:seed` and build first.
 */
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import type { OrgConversationsQuery } from '../src/conversations/conversations/org-list/list/org-conversations.dto';
import { createDataSource } from '../src/kernel/database';
import { casesFor, pathOf, record, totalTimes, unprepared } from './org-list-cases';
import { best, measure, type Measured, round } from './org-list-load';
import { type Org, organizations } from './org-list-orgs';
import { Service, startBare, startFastApi } from './org-list-processes';
import { processorMs } from './processor-time';

const WARM_UP_SECONDS = 2;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '4' },
    sizes: { type: 'string', default: '1000,10000,100000,500000' },
    requests: { type: 'string', default: '' },
    fastapi: { type: 'boolean', default: false },
  },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const CONNECTIONS = Number(values.connections);
const CHOSEN = new RegExp(values.requests);

/** The queries to measure, by name. */
interface Asked {
  readonly org: Org;
  readonly queries: readonly (readonly [string, Partial<OrgConversationsQuery>])[];
}

/** The ports of the servers that are compared. */
interface Ports {
  readonly service: Service;
  readonly bare?: number;
  readonly barePrepared?: number;
  readonly fastApi?: number;
}

const KINDS = ['bare', 'barePrepared', 'fastApi'] as const;

async function compare(ports: Ports, path: string, key: string) {
  const load = { path, key, connections: CONNECTIONS, seconds: SECONDS };
  const { port: servicePort, pid } = ports.service;
  if (ports.fastApi !== undefined) await checkSameRows([servicePort, ports.fastApi], path, key);
  const found: Partial<Record<'service' | (typeof KINDS)[number], Measured>> = {};
  let serviceMs = Infinity;
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const before = processorMs(pid);
    const measured = await measure({ ...load, port: servicePort });
    serviceMs = Math.min(serviceMs, (processorMs(pid) - before) / measured.requests);
    found.service = best(found.service, measured);
    for (const kind of KINDS) {
      const port = ports[kind];
      if (port !== undefined) found[kind] = best(found[kind], await measure({ ...load, port }));
    }
  }
  const one = await measure({ ...load, port: servicePort, connections: 1, seconds: SECONDS / 2 });
  const { service, bare, barePrepared, fastApi } = found;
  const ratioTo = (other: Measured | undefined): number | null =>
    service && other ? round(service.perSecond / other.perSecond) : null;
  return {
    ...service,
    serviceMs: Math.round(serviceMs * 1_000) / 1_000,
    p50Alone: one.p50,
    ...(bare && { bare, ratio: ratioTo(bare) }),
    ...(barePrepared && { barePrepared, ratioPrepared: ratioTo(barePrepared) }),
    ...(fastApi && { fastApi, ratioFastApi: ratioTo(fastApi) }),
  };
}

const pageSchema = z.object({ items: z.array(z.object({ id: z.string() })), total_items: z.number() });

/** @throws Error where the servers do not answer the same conversations */
async function checkSameRows(ports: readonly number[], path: string, key: string): Promise<void> {
  const pages = [];
  for (const port of ports) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-access-token': key } });
    pages.push(JSON.stringify(pageSchema.parse(await response.json())));
  }
  if (new Set(pages).size > 1) throw new Error(`There are different answers to ${path}.`);
}

async function exported(service: Service, org: Org) {
  const idle = service.residentMebibytes();
  let resident = idle;
  const watch = setInterval(() => {
    resident = Math.max(resident, service.residentMebibytes());
  }, 100);
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
    conversations: org.conversations,
    rowsPerSecond: Math.round(org.conversations / seconds),
    mebibytes: round(bytes / 2 ** 20),
    processMebibytes: { idle: Math.round(idle), most: Math.round(resident) },
  };
}

async function measureAll(database: DataSource, databaseUrl: string) {
  const orgs = await organizations(database, values.sizes.split(',').map(Number));
  const asked: Asked[] = orgs.map((org) => ({
    org,
    queries: Object.entries(casesFor(org.conversations)).filter(([request]) => CHOSEN.test(request)),
  }));
  const cases = [];
  for (const { org, queries } of asked)
    cases.push(...(await record(database, org.id, Object.fromEntries(queries))));
  const service = await Service.start(databaseUrl);
  const bare = await startBare(databaseUrl, unprepared(cases));
  const barePrepared = await startBare(databaseUrl, cases);
  const fastApi = values.fastapi ? await startFastApi(databaseUrl) : undefined;
  const prepared = new Set(
    cases
      .filter(({ statements }) => statements.every(({ name }) => name !== undefined))
      .map(({ path }) => path),
  );
  try {
    const largest = orgs.at(-1);
    const exportResult = largest && CHOSEN.test('export') ? await exported(service, largest) : undefined;
    await warmUp([service.port, bare.port, barePrepared.port, ...(fastApi ? [fastApi.port] : [])], asked);
    const results = [];
    const totals = [];
    const refused = [];
    for (const { org, queries } of asked) {
      const { conversations } = org;
      for (const [request, query] of queries) {
        const path = pathOf(org.id, query);
        const ports = {
          service,
          bare: bare.port,
          ...(prepared.has(path) && { barePrepared: barePrepared.port }),
          // It has no page that is filtered after the query.
          ...(fastApi && (!query.sandbox_status || query.accurate_totals) && { fastApi: fastApi.port }),
        };
        // What takes too long is refused, for one caller or for so many.
        const compared = cases.some((one) => one.path === path)
          ? await compare(ports, path, org.key).catch(() => null)
          : null;
        if (compared === null) refused.push({ conversations, request });
        else results.push({ conversations, request, ...compared });
      }
      results.push(...(await statistics(service, org)));
      totals.push(...(await totalsOf(database, org)));
      process.stderr.write(`${conversations} conversations\n`);
    }
    return { results, refused, totals, export: exportResult };
  } finally {
    fastApi?.stop();
    bare.stop();
    barePrepared.stop();
    await service.stop();
  }
}

async function totalsOf(database: DataSource, { id, conversations }: Org) {
  if (!CHOSEN.test('totals')) return [];
  return [{ conversations, p50: await totalTimes(database, id, SECONDS * 100) }];
}

async function statistics(service: Service, { id, key, conversations }: Org) {
  if (!CHOSEN.test('stats')) return [];
  const compared = await compare({ service }, `/api/organizations/${id}/conversations/stats`, key);
  return [{ conversations, request: 'stats', ...compared }];
}

/** Warm-up: code is compiled just in time, and only compiled code is measured. */
async function warmUp(ports: readonly number[], asked: readonly Asked[]): Promise<void> {
  for (const { org, queries } of asked)
    for (const [, query] of queries.slice(0, 1))
      for (const port of ports)
        await measure({
          port,
          path: pathOf(org.id, query),
          key: org.key,
          connections: CONNECTIONS,
          seconds: WARM_UP_SECONDS,
        });
}

async function main(databaseUrl: string): Promise<void> {
  const database = await createDataSource(databaseUrl, 2).initialize();
  try {
    const measured = await measureAll(database, databaseUrl);
    if (values.json) {
      const head = { measuredAt: new Date().toISOString(), machine: machine(), connections: CONNECTIONS };
      const rounds = { secondsEach: SECONDS, bestOfRounds: ROUNDS };
      process.stdout.write(`${JSON.stringify({ ...head, ...rounds, ...measured }, null, 2)}\n`);
    } else {
      console.table(
        measured.results.map(({ bare, barePrepared, fastApi, ...result }) => ({
          ...result,
          bare: bare?.perSecond,
          barePrepared: barePrepared?.perSecond,
          fastApi: fastApi?.perSecond,
        })),
      );
      console.table(measured.totals.map(({ conversations, p50 }) => ({ conversations, ...p50 })));
      console.log(measured.refused, measured.export);
    }
  } finally {
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
