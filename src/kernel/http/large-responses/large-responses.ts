import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, StreamableFile } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../observability/metrics';
import { type ResponseItem, bytesOf, INLINE_BYTES, PART_BYTES, partsOf } from './response-size';
import { ResponseSlots } from './response-slots';

/** A small response is a text; a large one is read while it is sent. */
export type JsonResponse = string | StreamableFile;

/** What stands around the items of a response. */
export interface Frame {
  readonly before: string;
  readonly after: string;
}

/** What stands around a list that is answered whole. */
export const LIST_FRAME: Frame = { before: '[', after: ']' };

/** What stands around the items of a page. @param nextPageId null on the last one */
export function pageFrame(nextPageId: string | null): Frame {
  return { before: '{"items":[', after: `],"next_page_id":${JSON.stringify(nextPageId)}}` };
}

/** A client that takes longer is cut off: others wait for what its response holds. */
const MAX_SECONDS = 120;

/** Between two parts, for each full part: all large responses of a process together have about 10 MB a second. */
const PAUSE_MS = 20;

/**
 * Responses of many bytes, part by part: few of them are in memory at once, whoever asks and however slowly they read
 * (docs/contract.md#response-limits).
 */
@Injectable()
export class LargeResponses {
  private readonly slots = new ResponseSlots();
  private last: Promise<unknown> = Promise.resolve();

  constructor({ registry }: Metrics) {
    const { slots } = this;
    const gauge = (name: string, help: string, figure: () => number): void => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(figure());
        },
      });
    };
    gauge('large_response_bytes', 'Bytes that large responses hold in memory.', () => slots.bytes);
    gauge(
      'large_responses_waiting',
      'Large responses that wait for room in memory.',
      () => slots.waitingCount,
    );
  }

  /**
   * Items as JSON, in their order: as one text, or read while they are sent where many bytes of them are not read yet.
   * @param read gives the JSON texts of some items that have none yet
   * @throws TooManyLargeResponsesError
   */
  async respond<Item extends ResponseItem>(
    userId: string,
    items: readonly Item[],
    frame: Frame,
    read: (items: readonly Item[]) => Promise<readonly string[]>,
  ): Promise<JsonResponse> {
    const whole = async (some: readonly Item[]): Promise<string> => {
      const unread = some.filter(({ text }) => text === null);
      const rest = (unread.length === 0 ? [] : await read(unread)).values();
      return some.map(({ text }) => text ?? rest.next().value ?? 'null').join();
    };
    const isLarge = bytesOf(items.filter(({ text }) => text === null)) > INLINE_BYTES;
    if (!isLarge) return frame.before + (await whole(items)) + frame.after;
    return this.stream(userId, partsOf(items), frame, whole);
  }

  private async stream<Item extends ResponseItem>(
    userId: string,
    parts: readonly (readonly Item[])[],
    frame: Frame,
    read: (part: readonly Item[]) => Promise<string>,
  ): Promise<StreamableFile> {
    const release = await this.slots.acquire(userId, Math.max(...parts.map(bytesOf)));
    const stream = Readable.from(
      texts(parts, frame, (part) => this.inTurn(bytesOf(part), () => read(part))),
      { objectMode: false, highWaterMark: 1 },
    );
    const timer = setTimeout(() => stream.destroy(new Error('took too long')), MAX_SECONDS * 1000);
    stream.once('close', () => {
      clearTimeout(timer);
      release();
    });
    return new StreamableFile(stream, { type: 'application/json; charset=utf-8' });
  }

  /** One part is read at a time, and others' requests have the process to themselves in between. */
  private inTurn<Result>(bytes: number, read: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(read);
    this.last = result.then(
      () => pause(PAUSE_MS * Math.max(1, bytes / PART_BYTES)),
      () => undefined,
    );
    return result;
  }
}

async function* texts<Item extends ResponseItem>(
  parts: readonly (readonly Item[])[],
  { before, after }: Frame,
  read: (part: readonly Item[]) => Promise<string>,
): AsyncGenerator<string> {
  yield before;
  let separator = '';
  for (const part of parts) {
    yield separator + (await read(part));
    separator = ',';
  }
  yield after;
}
