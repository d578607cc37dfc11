import { quantile, round } from '../org-list-load';
import { postgresProcessorMs, processorMs } from '../processor-time';
import type { Installation } from './installation';
import { memoryOf } from '../streams/idle-memory';
import { takeSample } from './samples';
import type { TimedRequests } from './timed-requests';
import type { Yardstick } from './yardstick';

/** What the requests of a minute took. */
export interface Minute {
  /** Those that count. */
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the service for a request of the traffic, with what its conversation does. */
  readonly serviceMs: number;
  /** That of PostgreSQL. */
  readonly databaseMs: number;
  /** Of the requests to the bare server in the same minute. */
  readonly bareP99Ms: number;
  /** Processor time of the bare server for one of them: how fast the machine was. */
  readonly bareMs: number;
  /** Of the service, in MiB, right after garbage was collected. */
  readonly heapInUse: number;
}

interface Used {
  readonly service: number;
  readonly database: number;
  readonly bare: number;
}

/** Minutes of a run, one after the other. */
export class Minutes {
  readonly all: Minute[] = [];

  private constructor(
    private readonly installation: Installation,
    private readonly yardstick: Yardstick,
    private readonly timed: TimedRequests,
    private before: Used,
  ) {}

  /** Starts with the minute that begins now. */
  static async begin(
    installation: Installation,
    yardstick: Yardstick,
    timed: TimedRequests,
  ): Promise<Minutes> {
    await timed.take();
    return new Minutes(installation, yardstick, timed, await usedBy(installation, yardstick));
  }

  /** Adds the minute that ends now, and collects garbage, whose requests do not count. */
  async end(): Promise<void> {
    const { service, bare } = await this.timed.take();
    const used = await usedBy(this.installation, this.yardstick);
    const { before } = this;
    await memoryOf(this.installation.service.child);
    const { heapMebibytes: heapInUse } = await takeSample(this.installation, 0);
    await this.timed.take();
    this.before = await usedBy(this.installation, this.yardstick);
    this.all.push({
      requests: service.length,
      p50Ms: round(quantile(service, 0.5)),
      p99Ms: round(quantile(service, 0.99)),
      serviceMs: round((used.service - before.service) / service.length),
      databaseMs: round((used.database - before.database) / service.length),
      bareP99Ms: round(quantile(bare, 0.99)),
      bareMs: round((used.bare - before.bare) / bare.length),
      heapInUse,
    });
  }
}

async function usedBy({ service, databaseFolder }: Installation, { pid }: Yardstick): Promise<Used> {
  return {
    service: processorMs(service.child.pid),
    database: await postgresProcessorMs(databaseFolder),
    bare: processorMs(pid),
  };
}
