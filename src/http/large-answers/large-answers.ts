import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, StreamableFile } from '@nestjs/common';
import { bytesOf, partsOf, type SizedItem } from './answer-size';
import { AnswerSlots } from './answer-slots';

/** A small answer is a text; a large one is read while it is sent. */
export type JsonAnswer = string | StreamableFile;

/** What stands around the items of an answer. */
export interface Frame {
  readonly before: string;
  readonly after: string;
}

/** A client that takes longer is cut off: others wait for what its answer holds. */
const MAX_SECONDS = 120;

/** Between two parts: all large answers of a process together have about 15 MB a second. */
const PAUSE_MS = 12;

/**
 * Answers of many bytes, part by part: few of them are in memory at once, whoever asks and however slowly they read
 * (docs/contract.md#answer-limits).
 */
@Injectable()
export class LargeAnswers {
  private readonly slots = new AnswerSlots();
  private last: Promise<unknown> = Promise.resolve();

  /**
   * Sends items as JSON, in their order.
   * @param read gives the JSON texts of some items
   * @throws TooManyLargeAnswersError
   */
  async stream<Item extends SizedItem>(
    userId: string,
    items: readonly Item[],
    frame: Frame,
    read: (items: readonly Item[]) => Promise<readonly string[]>,
  ): Promise<StreamableFile> {
    const parts = partsOf(items);
    const release = await this.slots.acquire(userId, Math.max(...parts.map(bytesOf)));
    const stream = Readable.from(
      texts(parts, frame, (part) => this.inTurn(() => read(part))),
      { objectMode: false, highWaterMark: 1 },
    );
    const timer = setTimeout(() => stream.destroy(), MAX_SECONDS * 1000);
    stream.once('close', () => {
      clearTimeout(timer);
      release();
    });
    return new StreamableFile(stream, { type: 'application/json; charset=utf-8' });
  }

  /** One part is read at a time, and others' requests have the process to themselves in between. */
  private inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(read);
    this.last = result.then(
      () => pause(PAUSE_MS),
      () => undefined,
    );
    return result;
  }
}

async function* texts<Item extends SizedItem>(
  parts: readonly (readonly Item[])[],
  { before, after }: Frame,
  read: (items: readonly Item[]) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  yield before;
  let separator = '';
  for (const part of parts) {
    yield separator + (await read(part)).join();
    separator = ',';
  }
  yield after;
}
