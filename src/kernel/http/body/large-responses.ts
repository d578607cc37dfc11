import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, StreamableFile } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../observability/metrics';
import { MEBIBYTE, KeyedSemaphore } from '../../common';
import { ResponseTooLargeError, TooManyLargeResponsesError } from '../errors/http.errors';

/** What all large responses of a process hold at once, and those of a user. */
const TOTAL_BYTES = 32 * MEBIBYTE;
const USER_BYTES = 16 * MEBIBYTE;

/** The minimum that a response counts, since each takes its share of the event loop, too. */
const LEAST_BYTES = 16 * MEBIBYTE;

const MAX_WAIT_MS = 30_000;

/** Bounds what large responses hold in memory at once; those for which there is no room wait in their order. */
export class ResponseSlots {
  private readonly bytesHeld = new KeyedSemaphore({ user: USER_BYTES, replica: TOTAL_BYTES });

  /** Bytes held in memory now. */
  get bytes(): number {
    return this.bytesHeld.used('replica', '');
  }

  /** The number of responses that wait for memory. */
  get waitingCount(): number {
    return this.bytesHeld.waiting;
  }

  /**
   * Waits for room.
   * @param bytes what the response holds in memory at most
   * @returns gives the room back
   * @throws TooManyLargeResponsesError when there is none for 30 seconds
   */
  async acquire(user: string, bytes: number): Promise<() => void> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new TooManyLargeResponsesError()), MAX_WAIT_MS);
    const units = Math.min(USER_BYTES, Math.max(LEAST_BYTES, bytes));
    try {
      return await this.bytesHeld.acquire({ user, replica: '' }, { units, signal: patience.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A page ends after so many bytes, or one item (docs/contract.md#response-limits). */
const MAX_RESPONSE_BYTES = 16 * MEBIBYTE;

/** Texts that are read together with the sizes of a page; larger pages are read part by part. */
export const INLINE_BYTES = 256 * 1024;

/** The bytes of a large response that are read at a time, or one item. */
const PART_BYTES = 256 * 1024;

/** An item of a response, with the bytes it takes there. */
interface SizedItem {
  readonly bytes: number;
}

/** An item of a response with its JSON text; null for one that is read while the response is sent. */
export interface ResponseItem extends SizedItem {
  readonly text: string | null;
}

/**
 * What stands on a page of rows that were read with one more than the limit: as many as fit, and at least one.
 * @returns them, and the row that the next page starts with
 */
export function fittingPage<Item extends SizedItem>(
  rows: readonly Item[],
  limit: number,
): { readonly items: readonly Item[]; readonly next: Item | undefined } {
  const count = prefixWithin(rows.slice(0, limit), MAX_RESPONSE_BYTES);
  return { items: rows.slice(0, count), next: rows[count] };
}

/** @throws ResponseTooLargeError when items that were named are too large together */
export function assertResponseFits(items: readonly SizedItem[]): void {
  if (prefixWithin(items, MAX_RESPONSE_BYTES) < items.length) throw new ResponseTooLargeError();
}

/** The items in their order, in parts that are read one after the other. */
function partsOf<Item extends SizedItem>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length;) {
    const count = prefixWithin(items.slice(from), PART_BYTES);
    parts.push(items.slice(from, from + count));
    from += count;
  }
  return parts;
}

/** The bytes of items together. */
function bytesOf(items: readonly SizedItem[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0);
}

function prefixWithin(items: readonly SizedItem[], most: number): number {
  let sum = 0;
  const end = items.findIndex(({ bytes }, index) => (sum += bytes) > most && index > 0);
  return end === -1 ? items.length : end;
}

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

/** A client that takes longer is disconnected, since others wait for its memory. */
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

  constructor(metrics: Metrics) {
    const { slots } = this;
    // Not taken apart above: extensions compile against the declaration of this constructor, where Metrics has no registry.
    const { registry } = metrics;
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
