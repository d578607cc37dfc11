import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Settings } from './kernel/config';
import { READY } from './keep-running';
import { Exchange, type Telling } from './worker-exchange';

/** Metrics may take two seconds to be collected; who asks for those of all waits until they are there. */
const ANSWER_MS = 2_500;
const ALL_ANSWERS_MS = 3_000;

/** What does not stop within it is ended. */
const STOP_MS = 5_000;

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** What the first worker is told once it is the only one, and may end what all have used. */
const ALONE = 'alone';

/** How many processes `WORKERS` asks for. */
export function workerCount({ WORKERS }: Pick<Settings, 'WORKERS'>): number {
  return WORKERS === 'auto' ? availableParallelism() : WORKERS;
}

/**
 * Runs the program in several processes that answer at one port, whose connections this one hands out in turn
 * (docs/scaling.md#all-cores-of-a-machine). The first is what a single process would be: it has what there is once, and all end
 * with it. The others are as with `APP_ROLE=api`; one that ends is replaced.
 * @returns once the first is ready; the process ends when the last of them has
 */
export async function runWorkers(count: number, log: Logger): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ serialization: 'advanced' });
  const workers = new Workers(log);
  const port = await workers.startFirst();
  for (let n = 1; n < count && !workers.isStopping; n++)
    workers.startAnother({ PORT: String(port), APP_ROLE: 'api' });
  log.info(`${count} processes answer requests.`);
}

class Workers {
  private readonly exchanges = new Map<Worker, Exchange>();
  /** Those that answer requests. */
  private readonly ready = new Set<Worker>();
  private pauseMs = FIRST_PAUSE_MS;
  isStopping = false;

  constructor(private readonly log: Logger) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => this.passOn(signal));
  }

  /** @returns the port at which it answers */
  startFirst(): Promise<number> {
    const worker = this.fork({});
    worker.once('exit', (code: number | null) => void this.endWith(code ?? 1));
    let port = 0;
    // At first it tries whether it can listen, at last it does.
    worker.on('listening', (address) => (port = address.port));
    return new Promise((resolve) => {
      worker.on('message', (message) => message === READY && resolve(port));
    });
  }

  /** One that answers requests, and is started again whenever it ends. */
  startAnother(env: Readonly<Record<string, string>>): void {
    const beganAt = performance.now();
    this.fork(env).once('exit', (code: number | null, signal: string | null) => {
      if (this.isStopping) return;
      if (performance.now() - beganAt > MAX_PAUSE_MS) this.pauseMs = FIRST_PAUSE_MS;
      const how = signal ?? `exit code ${code}`;
      this.log.warn(`A worker ended (${how}); another starts in ${this.pauseMs / 1_000} s.`);
      void sleep(this.pauseMs).then(() => this.isStopping || this.startAnother(env));
      this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
    });
  }

  private fork(env: Readonly<Record<string, string>>): Worker {
    const worker = cluster.fork(env);
    this.exchanges.set(worker, new Exchange(worker, ANSWER_MS, () => this.tellingsBut(worker)));
    // Its exit says it, too.
    worker.on('error', () => undefined);
    worker.on('message', (message) => message === READY && this.ready.add(worker));
    worker.once('exit', () => {
      this.exchanges.delete(worker);
      this.ready.delete(worker);
      if (this.isStopping && this.exchanges.size === 1) this.tell(ALONE);
    });
    return worker;
  }

  /** What all others say of themselves; those that do not answer are left out. */
  private async tellingsBut(asker: Worker): Promise<Telling> {
    const others = [...this.exchanges].filter(([worker]) => worker !== asker && this.ready.has(worker));
    return (await Promise.all(others.map(([, exchange]) => exchange.ask()))).flat();
  }

  private passOn(signal: NodeJS.Signals): void {
    this.isStopping = true;
    if (this.exchanges.size === 1) this.tell(ALONE);
    for (const worker of this.exchanges.keys()) worker.process.kill(signal);
  }

  private tell(message: string): void {
    for (const worker of this.exchanges.keys()) if (worker.isConnected()) worker.send(message);
  }

  /** The others cannot go on without the first, whatever they are about to do. */
  private async endWith(code: number): Promise<never> {
    const others = [...this.exchanges.keys()];
    const ended = Promise.all(others.map((worker) => once(worker, 'exit')));
    this.passOn('SIGTERM');
    await Promise.race([ended, sleep(STOP_MS)]);
    for (const worker of this.exchanges.keys()) worker.process.kill('SIGKILL');
    await ended;
    process.exit(code);
  }
}

/** The place of this process among several that run the service. */
export class WorkerPlace {
  /** Resolves when all others have ended. */
  readonly alone: Promise<void>;

  private constructor(
    /** Whether it only answers requests, beside the first. */
    readonly isAnother: boolean,
  ) {
    this.alone = new Promise((resolve) => {
      process.on('message', (message) => message === ALONE && resolve());
    });
  }

  /** Null for a process that runs the service by itself. */
  static current(): WorkerPlace | null {
    const { worker } = cluster;
    return worker === undefined ? null : new WorkerPlace(worker.id > 1);
  }

  /** Says that this process answers requests. */
  ready(): void {
    process.send?.(READY);
  }

  /**
   * Tells the others what they ask of this one.
   * @returns asks all others
   */
  exchange(tell: () => Promise<Telling>): () => Promise<Telling> {
    const exchange = new Exchange(process, ALL_ANSWERS_MS, tell);
    return () => exchange.ask();
  }
}
