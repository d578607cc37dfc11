import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import type { Turn } from '../measured-services';
import type { Load } from '../org-list-load';
import { processorMs } from '../processor-time';

/** With how long requests took, in milliseconds. */
export interface TimedTurn extends Turn {
  readonly p50: number;
  readonly p99: number;
}

const measuredSchema = z.object({ perSecond: z.number(), p50: z.number(), p99: z.number() });

/** A server, and what it is asked for. */
export interface Way {
  readonly child: ChildProcess;
  readonly port: number;
  readonly path: string;
}

/** Sends requests from a process of its own, so that what sends them takes no time of what is measured. */
export class LoadProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<never>;

  constructor() {
    this.child = fork(join(__dirname, 'send-load.ts'), { execArgv: ['--require', '@swc-node/register'] });
    this.ended = new Promise((_, reject) => {
      this.child.once('exit', () => reject(new Error('What sends the requests has ended.')));
    });
    this.ended.catch(() => undefined);
  }

  /**
   * How many requests a server answers, how long they take, and the processor time for one.
   * @throws Error when a response is not 200
   */
  async turn({ child, port, path }: Way, load: Omit<Load, 'port' | 'path'>): Promise<TimedTurn> {
    const before = processorMs(child.pid);
    const { perSecond, p50, p99 } = await this.send({ ...load, port, path });
    const cpuMs = processorMs(child.pid) - before;
    return { perSecond, p50, p99, cpuMicroseconds: (cpuMs * 1_000) / (perSecond * load.seconds) };
  }

  private async send(load: Load): Promise<z.infer<typeof measuredSchema>> {
    const measured = new Promise((resolve) => this.child.once('message', resolve));
    this.child.send(load);
    return measuredSchema.parse(await Promise.race([measured, this.ended]));
  }

  /** Ends it. */
  stop(): void {
    this.child.kill();
  }
}
