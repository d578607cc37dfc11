/**
 * What callers who read the largest pages of events cost everybody else. The service is a process of its own; an
 * organization with 100 events of 160 KiB in each of several conversations is read by 15 callers without a pause,
 * and a member of another organization lists conversations meanwhile.
 *
 *   npm run bench -- large-pages [--seconds 12] [--readers 15]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startTestApp } from '../test/support/service/app';
import { makeCaller, makeOrg } from '../test/support/service/factories';
import { storeConversation } from '../test/support/queue/conversation-rows';
import { startTestServer, stopTestServer } from '../test/support/service/test-server';
import { options } from './options';
import { report } from './report';

const SERVICE = 'service';
const EVENTS = 100;
const EVENT_BYTES = 160 * 1024;
const WARM_UP_CALLS = 20;

const serviceSchema = z.object({
  url: z.string(),
  pid: z.number(),
  readers: z.array(z.object({ key: z.string(), conversationId: z.string() })),
  other: z.string(),
});
type Service = z.infer<typeof serviceSchema>;

/** Starts the service in a process of its own, with the events that are read. */
async function serve(readers: number): Promise<void> {
  const service = await startTestApp({ env: { DATA_DIR: process.env.DATA_DIR ?? '' } });
  const org = await makeOrg(service.db);
  const made: Service['readers'] = [];
  for (let reader = 0; reader < readers; reader++) {
    const caller = await makeCaller(service.db, org.id);
    const owner = { org_id: org.id, created_by_user_id: caller.userId };
    const { id } = await storeConversation(service.db, owner);
    await service.db.query(
      `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
         SELECT $1, n::text, n, 'MessageEvent', now() + n * interval '1 second',
                '{"id":"' || n || '","text":"' ||
                (SELECT string_agg(md5(n || '-' || i), '') FROM generate_series(1, $2::int / 32) i) || '"}'
           FROM generate_series(1, $3::int) n`,
      [id, EVENT_BYTES, EVENTS],
    );
    made.push({ key: caller.key, conversationId: id });
  }
  const elsewhere = await makeOrg(service.db);
  const { key: other, userId } = await makeCaller(service.db, elsewhere.id, 'owner');
  for (let i = 0; i < 100; i++)
    await storeConversation(service.db, { org_id: elsewhere.id, created_by_user_id: userId });
  process.send?.({ url: service.url, pid: process.pid, readers: made, other });
  await once(process, 'message');
  await service.close();
  process.disconnect();
}

/** Memory of a process in MB, as Linux tells it. */
function residentMegabytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1000);
}

async function read(url: string, key: string): Promise<number> {
  const response = await fetch(url, { headers: { 'X-Access-Token': key } });
  const { byteLength: bytes } = await response.arrayBuffer();
  return response.status === 200 ? bytes : 0;
}

function percentiles(times: number[]): Record<string, number> {
  times.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(times[Math.floor(times.length * share)] ?? 0);
  return {
    calls: times.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: Math.round(times.at(-1) ?? 0),
  };
}

/** Calls one after the other, for some seconds. */
async function otherCalls({ url, other }: Service, seconds: number): Promise<Record<string, number>> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    await read(`${url}/api/v1/app-conversations/search?limit=100`, other);
    times.push(performance.now() - start);
  }
  return percentiles(times);
}

/** The calls of the other organization while all readers read; tells what was read as well. */
async function attacked(service: Service, seconds: number): Promise<Record<string, unknown>> {
  const end = performance.now() + seconds * 1000;
  let pages = 0;
  let megabytes = 0;
  let refused = 0;
  const readers = service.readers.map(async ({ key, conversationId }) => {
    while (performance.now() < end) {
      const bytes = await read(
        `${service.url}/api/v1/conversation/${conversationId}/events/search?limit=100`,
        key,
      );
      if (bytes === 0) refused++;
      else pages++;
      megabytes += bytes / 1e6;
    }
  });
  const others = await otherCalls(service, seconds);
  await Promise.all(readers);
  return { others, pages, megabytes: Math.round(megabytes), refused };
}

async function main(): Promise<void> {
  const { seconds, readers } = options({ seconds: 12, readers: 15 });
  await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'bench-large-pages-'));
  const child: ChildProcess = fork(__filename, [SERVICE, String(readers)], {
    env: { ...process.env, DATA_DIR: folder },
    execArgv: process.execArgv,
  });
  const messages: unknown[] = await once(child, 'message');
  const service = serviceSchema.parse(messages[0]);
  for (let i = 0; i < WARM_UP_CALLS; i++)
    await read(`${service.url}/api/v1/app-conversations/search?limit=100`, service.other);
  const residentBefore = residentMegabytes(service.pid, 'VmRSS');
  const alone = await otherCalls(service, seconds);
  const underAttack = await attacked(service, seconds);
  const residentPeak = residentMegabytes(service.pid, 'VmHWM');
  child.send('end');
  await once(child, 'exit');
  await stopTestServer();
  await rm(folder, { recursive: true, force: true });
  const parameters = { seconds, readers, events: EVENTS, eventBytes: EVENT_BYTES };
  report('large-pages', { parameters, alone, underAttack, megabytes: { residentBefore, residentPeak } });
}

const [role, count] = process.argv.slice(2);
void (role === SERVICE ? serve(Number(count)) : main());
