import { setImmediate as breathe } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { findNodeScript } from '../../../kernel/common';
import { FairQueue } from './fair-queue';
import type { ManifestReading } from './marketplace-manifest';
import type { SkillPlace, SkillReading } from './skill-file';

/** A text for the worker thread to parse. */
export type ReadingTask =
  | { readonly kind: 'manifest'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'skill';
      readonly bytes: Uint8Array;
      readonly isWhole: boolean;
      readonly place: SkillPlace;
    };

/** An ordinary text takes a few milliseconds. */
const LONGEST_READING_MS = 1_000;
/** Long, because a thread that runs from its source compiles it first. */
const LONGEST_START_MS = 20_000;
const MEMORY = { maxOldGenerationSizeMb: 96, stackSizeMb: 4 };

/** The text could not be parsed within the limits of time and memory. */
export class UnreadableTextError extends Error {
  constructor() {
    super('takes too long to read');
    this.name = new.target.name;
  }
}

interface Queued {
  readonly task: ReadingTask;
  readonly settle: (outcome: { value: unknown } | { error: Error }) => void;
}

/**
 * Parses manifests and front matter in a worker thread, one text after the other: untrusted JSON and YAML can keep a
 * parser busy for minutes. A text that takes too long costs the thread, not the service, and the organization whose it
 * is its turn, not the others.
 */
@Injectable()
export class TextReader implements OnModuleDestroy {
  private readonly queue = new FairQueue<Queued>();
  private thread: { readonly worker: Worker; readonly ready: Promise<void> } | null = null;
  private busy = false;

  /** @param orgId for whom it is read @throws UnreadableTextError */
  manifest(orgId: string, bytes: Uint8Array): Promise<ManifestReading> {
    return this.add(orgId, { kind: 'manifest', bytes });
  }

  /**
   * @param orgId for whom it is read
   * @param bytes the beginning of a Markdown file
   * @param isWhole whether that is the whole file
   * @throws UnreadableTextError
   */
  skill(
    orgId: string,
    bytes: Uint8Array,
    isWhole: boolean,
    { name, isFolder }: SkillPlace,
  ): Promise<SkillReading> {
    return this.add(orgId, { kind: 'skill', bytes, isWhole, place: { name, isFolder } });
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.worker.terminate();
  }

  private add<T>(orgId: string, task: ReadingTask): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.queue.add(orgId, {
        task,
        settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T)),
      });
      void this.work();
    });
  }

  private async work(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (let next = this.queue.take(); next; next = this.queue.take()) {
      const { orgId, item } = next;
      const beganAt = performance.now();
      try {
        item.settle({ value: await this.read(item.task) });
      } catch {
        this.thread = null;
        item.settle({ error: new UnreadableTextError() });
      }
      this.queue.count(orgId, performance.now() - beganAt);
      // Gives the caller of that text time to queue its next one before the next is chosen.
      await breathe();
    }
    this.busy = false;
  }

  private async read(task: ReadingTask): Promise<unknown> {
    this.thread ??= startThread();
    const { worker, ready } = this.thread;
    await ready;
    return replyOf(worker, LONGEST_READING_MS, () => worker.postMessage(task));
  }
}

function startThread(): { worker: Worker; ready: Promise<void> } {
  const { path, execArgv } = findNodeScript(__dirname, 'reading-worker');
  const worker = new Worker(path, { resourceLimits: MEMORY, execArgv: [...execArgv] });
  worker.unref();
  return { worker, ready: replyOf(worker, LONGEST_START_MS, () => undefined).then(() => undefined) };
}

/** The thread's next message; if none arrives in time, the thread is terminated. */
function replyOf(worker: Worker, withinMs: number, ask: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      finish();
      void worker.terminate();
      reject(new UnreadableTextError());
    };
    const succeed = (reply: unknown) => {
      finish();
      resolve(reply);
    };
    const timer = setTimeout(fail, withinMs);
    const finish = () => {
      clearTimeout(timer);
      worker.off('message', succeed).off('error', fail).off('exit', fail);
    };
    worker.once('message', succeed).once('error', fail).once('exit', fail);
    ask();
  });
}
