import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { findNodeScript } from '../../common';
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
 * parser busy for minutes. A text that takes too long costs the thread, not the service.
 */
@Injectable()
export class TextReader implements OnModuleDestroy {
  private readonly queue: Queued[] = [];
  private thread: { readonly worker: Worker; readonly ready: Promise<void> } | null = null;
  private busy = false;

  /** @throws UnreadableTextError */
  manifest(bytes: Uint8Array): Promise<ManifestReading> {
    return this.add({ kind: 'manifest', bytes });
  }

  /**
   * @param bytes the beginning of a Markdown file
   * @param isWhole whether that is the whole file
   * @throws UnreadableTextError
   */
  skill(bytes: Uint8Array, isWhole: boolean, { name, isFolder }: SkillPlace): Promise<SkillReading> {
    return this.add({ kind: 'skill', bytes, isWhole, place: { name, isFolder } });
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.worker.terminate();
  }

  private add<T>(task: ReadingTask): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.queue.push({
        task,
        settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T)),
      });
      void this.work();
    });
  }

  private async work(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      try {
        next.settle({ value: await this.read(next.task) });
      } catch {
        this.thread = null;
        next.settle({ error: new UnreadableTextError() });
      }
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
