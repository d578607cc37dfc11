import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';

/** What the process of the requests is given: its argument, as JSON. */
export const requestsSchema = z.object({
  service: z.object({ url: z.string(), key: z.string(), orgId: z.string(), perSecond: z.number() }),
  bare: z.object({ url: z.string(), paths: z.array(z.string()), perSecond: z.number() }),
});

/** What it is told: the conversations that take requests, or to tell what was timed. */
export const orderSchema = z.union([z.object({ open: z.array(z.string()) }), z.literal('take')]);

/** What it tells of the requests since it was asked last. */
export const timedSchema = z.object({
  /** In ms, of each request that has its response. */
  service: z.array(z.number()),
  bare: z.array(z.number()),
  /** What went wrong, and how often. */
  failures: z.record(z.string(), z.number()),
});

/**
 * Requests at a rate, whatever their responses take, sent and timed by a process that does nothing else: what this one
 * reads and collects must not count as a response time.
 */
export class TimedRequests {
  readonly failures = new Map<string, number>();
  /** Those to the service. */
  requests = 0;
  private isStopped = false;
  private readonly child: ChildProcess;

  constructor(requests: z.infer<typeof requestsSchema>) {
    this.child = fork(join(__dirname, 'requests-process.ts'), [JSON.stringify(requests)], {
      execArgv: ['--require', '@swc-node/register'],
    });
    this.child.once('exit', () => {
      if (!this.isStopped) throw new Error('The process of the requests has ended.');
    });
  }

  /** Says which conversations take requests from now on. */
  sendTo(open: readonly string[]): void {
    this.child.send({ open });
  }

  /** The durations since the last call, in ms. */
  async take(): Promise<{ readonly service: number[]; readonly bare: number[] }> {
    const told = once(this.child, 'message');
    this.child.send('take');
    const { service, bare, failures } = timedSchema.parse(((await told) as unknown[])[0]);
    this.requests += service.length;
    for (const [failure, count] of Object.entries(failures))
      this.failures.set(failure, (this.failures.get(failure) ?? 0) + count);
    return { service, bare };
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}
