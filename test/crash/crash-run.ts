import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { newId } from '../../src/kernel/common';
import { createDataSource, migrate } from '../../src/kernel/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/appliance/embedded-postgres';
import { migrateJobs } from '../../src/kernel/jobs';
import type { FaultPoint } from '../../src/kernel/leases';
import { makeExhaustedBudget, removeBudgets } from '../support/budgets/exhausted';
import { isSend } from '../support/agent-server/agent-server-calls';
import { AgentServerDouble, type Fault } from '../support/agent-server/agent-server-double';
import { eventually } from '../support/eventually';
import { timeBound } from '../support/time-bound';
import { makeCaller, makeOrg } from '../support/service/factories';
import { startTcpProxy, type TcpProxy } from '../support/service/tcp-proxy';
import { ShuffledCycle } from './shuffled-cycle';
import { Replica } from './replica';

const CONVERSATIONS = 20;
const LEASE_MS = 1_000;
const STEPS: readonly FaultPoint[] = ['leased', 'marked', 'written', 'sent', 'recorded', 'released'];
const TEXTS = ['yes', 'yes', 'yes', 'no', 'go on'];
/** A sender stops waiting for a response before its lease lapses. */
export const SHORT_CALLS: Times = { settleMs: 1_000, sendMs: 500 };
/** A lease that lapses, and the settling time after it, are over before the sender stops waiting for a response. */
export const LONG_CALLS: Times = { settleMs: 2_000, sendMs: 8_000 };
const QUIET_MS = 60_000;
/** The embedded server is started again no more than five times a minute; after that it counts as broken. */
const RESTARTS = { most: 5, withinMs: 61_000 };
const ENOUGH = 80;
const FAULTS: readonly (() => Fault)[] = [
  () => ({ kind: 'hang', stored: false }),
  () => ({ kind: 'hang', stored: true }),
  () => ({ kind: 'reset', stored: false }),
  () => ({ kind: 'reset', stored: true }),
  () => ({ kind: 'status', status: 500, stored: false }),
  () => ({ kind: 'status', status: 500, stored: true }),
  () => ({ kind: 'status', status: 409, stored: false }),
  () => ({ kind: 'status', status: 422, stored: false }),
  // Within the time a sender waits for a response, and the settling time after it.
  () => ({ kind: 'late', ms: Math.random() * (SHORT_CALLS.sendMs + SHORT_CALLS.settleMs / 2) }),
];

/** What goes wrong with the service and its dependencies. */
export type Disruption = 'kill' | 'step' | 'pause' | 'fault' | 'refuse' | 'postgres' | 'outage' | 'budget';

/** Time limits of a delivery. */
export interface Times {
  readonly settleMs: number;
  readonly sendMs: number;
}

/** The outcome of a run. */
export interface CrashReport {
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
  readonly disruptions: Readonly<Record<string, number>>;
  /** How often a replica killed itself at which step. */
  readonly steps: Readonly<Record<string, number>>;
  /** From the last disruption to the last delivery. */
  readonly recoveryMs: number;
  /** Empty when nothing was lost, doubled or reordered. */
  readonly violations: readonly string[];
}

interface Row {
  readonly id: string;
  readonly conversation_id: string;
  readonly state: string;
  readonly text: string;
  readonly last_error: string | null;
}

/** Twenty conversations that receive messages while everything around them breaks. */
export class CrashRun {
  private readonly acknowledged = new Map<string, Set<string>>();
  private readonly disruptions: Record<string, number> = {};
  private readonly steps = new ShuffledCycle(STEPS);
  private readonly faults = new ShuffledCycle(FAULTS);
  private readonly deaths: Record<string, number> = {};
  /** When the last restarts of PostgreSQL were. */
  private restarts: number[] = [];
  private readonly replicas: Replica[] = [];
  /** The proxy from each replica to PostgreSQL. */
  private readonly ways: TcpProxy[] = [];
  private userId = '';
  private orgId = '';
  private going = true;
  private sending = true;

  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly db: DataSource,
    private readonly double: AgentServerDouble,
    private readonly times: Times,
  ) {}

  static async prepare(times: Times): Promise<CrashRun> {
    const folder = await mkdtemp(join(tmpdir(), 'crash-'));
    const log = { info: () => undefined, warn: () => undefined };
    // What is committed survives the end of the server process; only a crash of the machine could lose it.
    const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log, settings });
    await migrate(postgres.url, migrateJobs);
    const db = await createDataSource(postgres.url, 4).initialize();
    const run = new CrashRun(folder, postgres, db, await AgentServerDouble.start(), times);
    await run.makeConversations();
    return run;
  }

  async close(): Promise<void> {
    this.going = false;
    this.sending = false;
    for (const replica of this.replicas) replica.kill();
    await Promise.all(this.replicas.map(({ ended }) => ended));
    for (const way of this.ways) await way.cut();
    await this.double.stop();
    await this.db.destroy();
    await this.postgres.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * @param replicaCount how many replicas run at a time; one that dies is replaced
   * @param seconds how long messages come and disruptions happen; longer when one of them did not happen yet, or
   *   when replicas took so long to start that only few messages were accepted
   */
  async perform(replicaCount: number, seconds: number, kinds: readonly Disruption[]): Promise<CrashReport> {
    this.going = true;
    this.sending = true;
    for (let i = 0; i < replicaCount; i++) this.ways.push(await startTcpProxy(this.postgres.url));
    const replacing = this.ways.map((way) => this.keepOne(way));
    await eventually(() => {
      // Also one that replaces another, which ended while it started.
      const ready = this.replicas.filter(({ isReady }) => isReady).length;
      if (ready < replicaCount) throw new Error(`${ready} of ${replicaCount} replicas are ready.`);
    }, QUIET_MS);
    const until = performance.now() + seconds * 1000;
    const senders = [...this.acknowledged.keys()].map((id) => this.keepSending(id));
    const next = new ShuffledCycle(kinds);
    while (
      performance.now() < until ||
      kinds.some((kind) => this.disruptions[kind] === undefined) ||
      this.accepted() < ENOUGH
    ) {
      const kind = next.take();
      await this.make(kind);
      this.disruptions[kind] = (this.disruptions[kind] ?? 0) + 1;
      await sleep(Math.random() * 400);
    }
    this.sending = false;
    this.double.heal();
    const lastTrouble = performance.now();
    await Promise.all(senders);
    await this.untilQuiet();
    const recoveryMs = Math.round(performance.now() - lastTrouble);
    this.going = false;
    for (const replica of this.replicas) replica.kill();
    await Promise.all(replacing);
    return { ...(await this.judge()), recoveryMs, disruptions: this.disruptions, steps: this.deaths };
  }

  private accepted(): number {
    return [...this.acknowledged.values()].reduce((sum, { size }) => sum + size, 0);
  }

  private async makeConversations(): Promise<void> {
    const org = await makeOrg(this.db);
    this.orgId = org.id;
    this.userId = (await makeCaller(this.db, org.id)).userId;
    for (let i = 0; i < CONVERSATIONS; i++) {
      const id = this.double.addConversation();
      this.acknowledged.set(id, new Set());
      await this.db.query(
        `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
         VALUES ($1, $2, $3, $4, 'ready')`,
        [id, org.id, this.userId, newId()],
      );
    }
  }

  private async keepOne(way: TcpProxy): Promise<void> {
    while (this.isGoing()) {
      const env = {
        JOB_LEASE_SECONDS: String(LEASE_MS / 1000),
        DELIVERY_SETTLE_SECONDS: String(this.times.settleMs / 1000),
        SEND_TIMEOUT_SECONDS: String(this.times.sendMs / 1000),
      };
      const replica = new Replica({ databaseUrl: way.url, server: this.double.target, env });
      this.replicas.push(replica);
      await replica.ended;
      if (replica.diedAt) this.deaths[replica.diedAt] = (this.deaths[replica.diedAt] ?? 0) + 1;
      this.replicas.splice(this.replicas.indexOf(replica), 1);
    }
  }

  private async keepSending(conversationId: string): Promise<void> {
    for (let i = 0; this.sending; i++) {
      const replica = this.anyReplica();
      const text = TEXTS[i % TEXTS.length] ?? '';
      const content = JSON.stringify([{ type: 'text', text }]);
      const id = await Promise.race([
        replica?.add(this.userId, conversationId, content),
        sleep(2 * LEASE_MS, null, { ref: false }),
      ]);
      if (id) this.acknowledged.get(conversationId)?.add(id);
      await sleep(Math.random() * 150);
    }
  }

  private anyReplica(): Replica | undefined {
    const ready = this.replicas.filter(({ isReady, isStopped }) => isReady && !isStopped);
    return ready[Math.floor(Math.random() * ready.length)];
  }

  private liveReplica(): Promise<Replica> {
    return eventually(() => {
      const replica = this.anyReplica();
      if (replica === undefined) throw new Error('No replica is ready.');
      return replica;
    }, QUIET_MS);
  }

  private async make(kind: Disruption): Promise<void> {
    if (kind === 'kill') (await this.liveReplica()).kill();
    if (kind === 'step') (await this.liveReplica()).dieAt(this.steps.take(), Math.floor(Math.random() * 5));
    if (kind === 'pause') await (await this.liveReplica()).stopFor(2.5 * LEASE_MS);
    if (kind === 'fault') this.double.fail(this.faults.take()(), isSend, 1 + Math.floor(Math.random() * 3));
    if (kind === 'refuse') {
      await this.double.refuse();
      await sleep(Math.random() * 500);
      await this.double.accept();
    }
    if (kind === 'postgres' && this.mayRestartPostgres()) await this.restartPostgres();
    if (kind === 'outage') await this.outage();
    if (kind === 'budget') await this.exhaustBudget();
  }

  private mayRestartPostgres(): boolean {
    const now = performance.now();
    this.restarts = this.restarts.filter((time) => now - time < RESTARTS.withinMs);
    return this.restarts.length < RESTARTS.most;
  }

  private async restartPostgres(): Promise<void> {
    this.restarts.push(performance.now());
    const file = join(this.folder, 'postgres', 'data', 'postmaster.pid');
    const [pid] = (await readFile(file, 'utf8')).split('\n');
    process.kill(Number(pid), Math.random() < 0.5 ? 'SIGINT' : 'SIGQUIT');
    await sleep(1_500);
    await eventually(() => this.db.query('SELECT 1'), QUIET_MS);
    // Its supervisor looks as well, and must have found it ready before it is stopped again.
    await sleep(200);
  }

  /**
   * Messages are on their way, and are accepted only when a lease and the settling time after it would be over,
   * while the replica that sends them cannot reach PostgreSQL for longer than a lease lasts.
   */
  private async outage(): Promise<void> {
    const { settleMs } = this.times;
    const slow: Fault = { kind: 'slow', ms: LEASE_MS + settleMs + Math.random() * settleMs };
    this.double.fail(slow, isSend, CONVERSATIONS / 2);
    await sleep(300);
    const way = this.ways[Math.floor(Math.random() * this.ways.length)];
    await way?.cut();
    await sleep(1.5 * LEASE_MS);
    await way?.restore();
  }

  /** Nothing is to be sent for a while, in which a replica dies; then the budget is deleted, as its operation does. */
  private async exhaustBudget(): Promise<void> {
    const budget = await makeExhaustedBudget(this.db, this.orgId);
    await sleep(Math.random() * 300);
    (await this.liveReplica()).kill();
    await sleep(Math.random() * 500);
    await this.db.transaction(async (transaction) => {
      await removeBudgets(transaction, this.orgId);
      const about = {
        scope: 'organization',
        subject: null,
        period: 'total',
        limit_usd: 10,
        limit_tokens: null,
      };
      const deleted = { kind: 'budget.deleted', org_id: this.orgId, budget_id: budget, user_id: this.userId };
      await transaction.query('INSERT INTO domain_events (org_id, kind, event) VALUES ($1, $2, $3)', [
        this.orgId,
        deleted.kind,
        { ...deleted, ...about },
      ]);
    });
  }

  private async untilQuiet(): Promise<void> {
    const began = performance.now();
    for (;;) {
      const rows = await this.db
        .query<{ open: string }[]>(
          `SELECT count(*) AS open FROM pending_messages WHERE state IN ('queued', 'delivering')`,
        )
        .catch(() => []);
      if (rows[0]?.open === '0' || performance.now() - began > timeBound(QUIET_MS)) return;
      await sleep(50);
    }
  }

  private async judge(): Promise<Omit<CrashReport, 'recoveryMs' | 'disruptions' | 'steps'>> {
    const rows = await this.db.query<Row[]>(
      `SELECT m.id, q.conversation_id, m.state, m.last_error, m.content::json -> 0 ->> 'text' AS text
         FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id ORDER BY m.rank`,
    );
    const violations: string[] = [];
    for (const [conversationId, acknowledged] of this.acknowledged) {
      const own = rows.filter(({ conversation_id }) => conversation_id === conversationId);
      const kept = new Set(own.map(({ id }) => id));
      for (const id of acknowledged)
        if (!kept.has(id)) violations.push(`${conversationId}: ${id} was accepted and is gone`);
      for (const { id, state, last_error } of own)
        if (state !== 'delivered' && state !== 'failed')
          violations.push(`${conversationId}: ${id} is still ${state} (${last_error ?? ''})`);
      const expected = own.filter(({ state }) => state === 'delivered').map(({ text }) => text);
      const arrived = this.double.messages(conversationId).map(({ text }) => text);
      if (arrived.join('|') !== expected.join('|'))
        violations.push(`${conversationId}: ${arrived.length} arrived for ${expected.length} delivered`);
    }
    const count = (state: string): number => rows.filter((row) => row.state === state).length;
    return { accepted: rows.length, delivered: count('delivered'), failed: count('failed'), violations };
  }

  /** May have changed during any wait. */
  private isGoing(): boolean {
    return this.going;
  }
}
