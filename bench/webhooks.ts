/**
 * What callbacks cost and how fast they are: one service in this process over a PostgreSQL of its own takes events of
 * agents, without HTTP, and calls a receiver in a thread of its own.
 *
 *   npm run bench -- webhooks [--callbacks 6000] [--seconds 10] [--rounds 5]
 *
 * `perSecond` is the rate of so many `callbacks` that are pending, with 1 and with 100 endpoints. `lagMs` is from the
 * return of the call that stores an event to the arrival of its callback, one event at a time. `ingestion` stores batches of
 * 30 events, 3,000 events a second, without an endpoint and with one: `callMs` is what a call takes. `hanging` is the lag
 * of 99 endpoints with and without a hundredth that never answers.
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createApp } from '../src/app.setup';
import { newId } from '../src/kernel/common';
import { readSettings } from '../src/kernel/config';
import { migrate } from '../src/kernel/database';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { NO_EXTENSIONS } from '../src/operations/extensions';
import { InboundService } from '../src/conversations/events/inbound/inbound.service';
import { migrateJobs } from '../src/kernel/jobs';
import { WebhookSecrets } from '../src/outbound/webhooks/secrets/webhook-secrets';
import { makeCaller, makeOrg } from '../test/support/service/factories';
import { median } from './hot-paths';
import { options } from './options';
import { report } from './report';
import { now, Receiver } from './webhooks/receiver';

const {
  callbacks: CALLBACKS,
  seconds: SECONDS,
  rounds: ROUNDS,
} = options({ callbacks: 6_000, seconds: 10, rounds: 5 });
const CONVERSATIONS = 100;
const ENDPOINTS = 100;
const BATCH = 30;
const EVENTS_PER_SECOND = 3_000;
const TEXT = 'x'.repeat(500);

const rounded = (value: number): number => Math.round(value * 10) / 10;

function percentiles(values: readonly number[]): { count: number; p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => rounded(sorted[Math.floor(sorted.length * share)] ?? NaN);
  return { count: values.length, p50: at(0.5), p99: at(0.99) };
}

/** The service, and what is measured of it. */
class Bench {
  private readonly conversations = Array.from({ length: CONVERSATIONS }, newId);
  private readonly sandboxId = newId();
  private turn = 0;

  constructor(
    private readonly app: NestExpressApplication,
    private readonly receiver: Receiver,
    private readonly orgId: string,
    private readonly userId: string,
  ) {}

  private get db(): DataSource {
    return this.app.get(DataSource);
  }

  async makeConversations(): Promise<void> {
    await this.db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
       SELECT id, $2, $3, $4, 'ready' FROM unnest($1::uuid[]) AS id`,
      [this.conversations, this.orgId, this.userId, this.sandboxId],
    );
  }

  /** Replaces all endpoints. @returns once the service knows */
  async endpoints(paths: readonly string[], kind = 'event.received'): Promise<void> {
    await this.db.query('DELETE FROM webhooks');
    const secrets = this.app.get(WebhookSecrets, { strict: false });
    for (const path of paths) {
      const id = newId();
      await this.db.query(
        `INSERT INTO webhooks (id, org_id, url, kinds, sealed_secret) VALUES ($1, $2, $3, $4, $5)`,
        [
          id,
          this.orgId,
          `http://127.0.0.1:${this.receiver.port}${path}`,
          [kind],
          secrets.seal(id, secrets.make()),
        ],
      );
    }
    await sleep(1_500);
    this.receiver.arrivals.clear();
  }

  /** Stores events, of one conversation after the other. @returns their ids */
  async store(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, newId);
    const events = ids.map(
      (id) => `{"id":"${id}","kind":"MessageEvent","timestamp":"2026-11-21T09:30:00","text":"${TEXT}"}`,
    );
    const sandbox = { sandboxId: this.sandboxId, orgId: this.orgId, createdByUserId: this.userId };
    const conversation = this.conversations[this.turn++ % CONVERSATIONS] ?? '';
    await this.app.get(InboundService).takeEvents(sandbox, conversation, `[${events.join(',')}]`);
    return ids;
  }

  async arrived(count: number): Promise<void> {
    for (let waited = 0; this.receiver.arrivals.size < count; waited += 20) {
      if (waited > 180_000) throw new Error(`Only ${this.receiver.arrivals.size} of ${count} have arrived.`);
      await sleep(20);
    }
  }

  /** Callbacks a second of what is pending, from the first arrival to the last. */
  async rate(endpoints: number): Promise<number> {
    await this.endpoints(Array.from({ length: endpoints }, (_, n) => `/${n}`));
    const events = CALLBACKS / endpoints;
    const perCall = Math.max(1, Math.min(BATCH, Math.floor(events / CONVERSATIONS)));
    for (let stored = 0; stored < events; stored += perCall) await this.store(perCall);
    await this.arrived(CALLBACKS);
    const times = [...this.receiver.arrivals.values()];
    return Math.round((1_000 * times.length) / (Math.max(...times) - Math.min(...times)));
  }

  /** From the return of the call to the arrival at each of the paths. */
  async lag(
    paths: readonly string[],
    events: number,
    everyMs: number,
  ): Promise<ReturnType<typeof percentiles>> {
    const storedAt = new Map<string, number>();
    for (let n = 0; n < events; n++) {
      const [id = ''] = await this.store(1);
      storedAt.set(id, now());
      await sleep(everyMs);
    }
    await this.arrived(paths.length * events);
    const lags = [...storedAt].flatMap(([id, at]) =>
      paths.map((path) => Math.max(0, (this.receiver.arrivals.get(`${path} ${id}`) ?? NaN) - at)),
    );
    return percentiles(lags);
  }

  /** What calls take that store events at a steady pace. */
  async ingestion(): Promise<{ perSecond: number; times: number[] }> {
    const times: number[] = [];
    const began = now();
    const pending = new Set<Promise<void>>();
    const calls = (SECONDS * EVENTS_PER_SECOND) / BATCH;
    for (let n = 0; n < calls; n++) {
      const wait = began + (n * 1_000 * BATCH) / EVENTS_PER_SECOND - now();
      if (wait > 1) await sleep(wait);
      const at = now();
      const call = this.store(BATCH).then(() => {
        times.push(now() - at);
        pending.delete(call);
      });
      pending.add(call);
      if (pending.size >= 8) await Promise.race(pending);
    }
    await Promise.all(pending);
    return { perSecond: Math.round((calls * BATCH * 1_000) / (now() - began)), times };
  }

  /** Nothing is pending or stored any more. */
  async cleanUp(): Promise<void> {
    await this.db.query('DELETE FROM webhooks');
    await sleep(500);
    await this.db.query('TRUNCATE events, event_logs, domain_events');
    await this.db.query('VACUUM webhook_lanes, webhook_deliveries, webhook_attempts, conversations');
  }
}

/** What an endpoint that hears of every event, or of hardly any, adds to the calls that store them. */
async function ingestion(bench: Bench): Promise<Record<string, unknown>> {
  const variants = {
    withoutEndpoint: null,
    withEndpointOfOtherKinds: 'ErrorEvent',
    withEndpoint: '*',
  } as const;
  const medians: Record<string, number[]> = {};
  const p99s: Record<string, number[]> = {};
  const rates: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, kind] of Object.entries(variants)) {
      await bench.endpoints(kind === null ? [] : ['/0'], kind ?? '*');
      const { perSecond, times } = await bench.ingestion();
      await bench.cleanUp();
      // The first round warms up.
      if (round === 0) continue;
      (medians[name] ??= []).push(percentiles(times).p50);
      (p99s[name] ??= []).push(percentiles(times).p99);
      (rates[name] ??= []).push(perSecond);
    }
  return Object.fromEntries(
    Object.keys(variants).map((name) => [
      name,
      {
        perSecond: median(rates[name] ?? []),
        callMs: { p50: median(medians[name] ?? []), p99: median(p99s[name] ?? []) },
      },
    ]),
  );
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-webhooks-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  await migrate(postgres.url, migrateJobs);
  const receiver = await Receiver.start();
  const app = await createApp({
    settings: readSettings({
      LOG_LEVEL: 'silent',
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      DATABASE_URL: postgres.url,
      DATA_DIR: folder,
      WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${receiver.port}`,
    }),
    databaseUrl: postgres.url,
    secretKey: 'bench',
    hostId: 'bench',
    extensions: NO_EXTENSIONS,
  });
  await app.init();
  const org = await makeOrg(app.get(DataSource));
  const { userId } = await makeCaller(app.get(DataSource), org.id);
  const bench = new Bench(app, receiver, org.id, userId);
  await bench.makeConversations();

  const perSecond: Record<string, number> = {};
  for (const endpoints of [1, ENDPOINTS]) {
    await bench.rate(endpoints);
    await bench.cleanUp();
    perSecond[`endpoints${endpoints}`] = await bench.rate(endpoints);
    await bench.cleanUp();
  }
  await bench.endpoints(['/0']);
  await bench.lag(['/0'], 100, 20);
  receiver.arrivals.clear();
  const lagMs = await bench.lag(['/0'], 500, 20);

  const healthy = Array.from({ length: ENDPOINTS - 1 }, (_, n) => `/${n}`);
  const hanging: Record<string, unknown> = {};
  for (const [name, paths] of Object.entries({
    withoutHanging: healthy,
    withHanging: [...healthy, '/hang'],
  })) {
    await bench.endpoints(paths);
    await bench.lag(healthy, 10, 500);
    receiver.arrivals.clear();
    hanging[name] = await bench.lag(healthy, 40, 500);
    await bench.cleanUp();
  }
  const results = { perSecond, lagMs, hanging, ingestion: await ingestion(bench) };
  report('webhooks', { callbacks: CALLBACKS, secondsEach: SECONDS, medianOfRounds: ROUNDS, results });
  await app.close();
  await receiver.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

void main();
