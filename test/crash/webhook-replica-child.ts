import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import type { FaultPoint } from '../../src/kernel/leases';
import { scriptOf } from '../support/compiled/compiled-sources';

const messageSchema = z.union([z.object({ held: z.string() }), z.object({ ready: z.literal(true) })]);

export interface WebhookReplicaSettings {
  readonly databaseUrl: string;
  readonly host: string;
  readonly leaseSeconds: number;
  readonly secretKey: string;
  readonly dieAt?: FaultPoint;
  /** By lane: the step at which its first delivery hangs. */
  readonly pausesAt?: Readonly<Record<string, FaultPoint>>;
}

/** A replica that makes callbacks, in another process. */
export class WebhookReplicaChild {
  readonly ended: Promise<void>;
  readonly ready: Promise<void>;
  /** The lanes whose delivery hangs at its step. */
  readonly held = new Set<string>();
  isReady = false;
  private readonly child: ChildProcess;

  constructor(settings: WebhookReplicaSettings) {
    const { path, execArgv } = scriptOf(join(__dirname, 'webhook-replica-process'));
    this.child = fork(path, [JSON.stringify({ pausesAt: {}, ...settings })], {
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', () => {
        this.isReady = false;
        resolve();
      });
    });
    this.ready = new Promise((resolve) => {
      this.child.on('message', (message) => {
        const what = messageSchema.parse(message);
        if ('held' in what) this.held.add(what.held);
        else {
          this.isReady = true;
          resolve();
        }
      });
    });
  }

  /** Makes it kill itself when it reaches a step for the given time. */
  dieAt(step: FaultPoint, after: number): void {
    if (this.child.connected) this.child.send({ dieAt: step, after }, () => undefined);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Suspends it for a time, as if the machine were paused. */
  async stopFor(ms: number): Promise<void> {
    this.child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.child.kill('SIGCONT');
  }
}
