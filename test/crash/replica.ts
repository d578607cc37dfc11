import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import type { AgentServer } from '../../src/sandboxes/agent-server';
import { scriptOf } from '../support/compiled/compiled-sources';

const messageSchema = z.union([
  z.object({ call: z.number(), id: z.string().optional(), error: z.string().optional() }),
  z.object({ held: z.string() }),
  z.object({ ready: z.literal(true) }),
]);

export interface ReplicaSettings {
  readonly databaseUrl: string;
  readonly server: AgentServer;
  readonly env: Readonly<Record<string, string>>;
  /** By queue: the step at which its first delivery hangs. */
  readonly pausesAt?: Readonly<Record<string, string>>;
}

/** A replica in another process. */
export class Replica {
  readonly ended: Promise<void>;
  readonly ready: Promise<void>;
  isReady = false;
  isStopped = false;
  /** The step at which it killed itself, once it has. */
  diedAt: string | undefined;
  private dying: string | undefined;
  /** The queues whose delivery hangs at its step. */
  readonly held = new Set<string>();
  private readonly calls = new Map<number, (id: string | null) => void>();
  private lastCall = 0;

  constructor(settings: ReplicaSettings) {
    const { path, execArgv } = scriptOf(join(__dirname, 'replica-process'));
    this.child = fork(path, [JSON.stringify(settings)], {
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', () => {
        this.isReady = false;
        this.diedAt = this.dying;
        for (const settle of this.calls.values()) settle(null);
        resolve();
      });
    });
    this.ready = new Promise((resolve) => {
      this.child.on('message', (message) => {
        const what = messageSchema.parse(message);
        if ('held' in what) this.held.add(what.held);
        else if ('call' in what) {
          this.calls.get(what.call)?.(what.id ?? null);
          this.calls.delete(what.call);
        } else {
          this.isReady = true;
          resolve();
        }
      });
    });
  }

  private readonly child: ChildProcess;

  /** Queues a message. @returns its id, or null when it may not have been accepted */
  add(userId: string, conversationId: string, content: string): Promise<string | null> {
    const call = ++this.lastCall;
    return new Promise((resolve) => {
      this.calls.set(call, resolve);
      if (!this.send({ add: { call, userId, conversationId, content } })) resolve(null);
    });
  }

  /** Makes it kill itself when a delivery reaches a step for the given time. */
  dieAt(step: string, after: number): void {
    if (this.send({ dieAt: step, after })) this.dying = step;
  }

  kill(): void {
    this.dying = undefined;
    this.child.kill('SIGKILL');
  }

  /**
   * Has its event loop stand still for a time, as if the machine were paused. Not by SIGSTOP, which now and then meets
   * the turn in which the lease is checked and the message written: the documented window.
   */
  async stopFor(ms: number): Promise<void> {
    this.isStopped = true;
    this.send({ stopFor: ms });
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.isStopped = false;
  }

  private send(message: object): boolean {
    if (!this.child.connected) return false;
    this.child.send(message, () => undefined);
    return true;
  }
}
