import type { DataSource } from 'typeorm';
import { takeAll } from '../../../kernel/common';
import { DELETE_KEPT, DELETED_AT_ONCE } from './done-messages.query';
import {
  END_OF_PORTION,
  KEPT_BEFORE,
  KEPT_BETWEEN,
  KEPT_BEYOND,
  SETTLED_UNTIL,
} from './done-messages.read-model';

const BEGINNING = '-infinity';
const END = 'infinity';

/** The share of the limit to which an organization beyond it is cut back; the rest is room for what comes next. */
export const KEPT_SHARE = 0.95;

/**
 * How many times the limit messages are kept that account for what is in the log of one whose outcome is unknown. It stays so
 * for as long as its sandbox is paused, and an agent server may never let it be known.
 */
const ACCOUNTING_FACTOR = 2;

/** Each search reads all messages of an organization. */
const FOUND_AT_ONCE = 200_000;

/** As many as one statement counts well within its time limit. */
const COUNTED_AT_ONCE = 100_000;

/**
 * Keeps the delivered and failed messages of each organization within a number of bytes. It counts what was done since it
 * looked last, rather than all that is kept; what has gone meanwhile is noticed when an organization seems to have too much,
 * which is then counted anew. That reads all its messages, so enough of them go that it is not due each time.
 */
export class KeptBytes {
  /** Bytes of each organization that were done before `countedTo`: no fewer than there are. */
  private readonly counted = new Map<string, number>();
  private countedTo = BEGINNING;
  private last: Promise<void> = Promise.resolve();

  /** @param most bytes that are kept of an organization */
  constructor(
    private readonly database: DataSource,
    private readonly most: number,
    private readonly countedAtOnce = COUNTED_AT_ONCE,
  ) {}

  /**
   * Deletes the oldest messages of organizations that are beyond the limit, until they are a twentieth below it; but
   * those that account for what is in the log of one whose outcome is unknown only beyond twice the limit.
   */
  keepWithin(): Promise<void> {
    // One after the other: a job whose lease has lapsed may still run when it is run again.
    const next = this.last.then(() => this.look());
    this.last = next.catch(() => undefined);
    return next;
  }

  private async look(): Promise<void> {
    const [{ until } = { until: this.countedTo }] = await SETTLED_UNTIL.rows(this.database);
    await this.countTo(until);
    const recent = await this.bytesBetween(until, END);
    const beyond = [...new Set([...this.counted.keys(), ...recent.keys()])].filter(
      (org) => this.bytesOf(org) + (recent.get(org) ?? 0) > this.most,
    );
    // A failure, which may repeat, must not block the others.
    await takeAll(beyond.map((org) => () => this.cutBack(org, until)));
  }

  /** In portions, each of which counts for good: a process that has just started counts all that is kept. */
  private async countTo(until: string): Promise<void> {
    while (this.countedTo !== until) {
      const from = this.countedTo;
      const [portion] = await END_OF_PORTION.rows(this.database, [from, until, this.countedAtOnce]);
      const to = portion?.until ?? until;
      for (const [org, bytes] of await this.bytesBetween(from, to))
        this.counted.set(org, this.bytesOf(org) + bytes);
      this.countedTo = to;
    }
  }

  private async cutBack(org: string, until: string): Promise<void> {
    const [kept, accounting] = [Math.floor(KEPT_SHARE * this.most), ACCOUNTING_FACTOR * this.most];
    let found: number;
    do {
      const beyond = await KEPT_BEYOND.rows(this.database, [org, kept, FOUND_AT_ONCE, accounting]);
      for (const ids of portions(beyond)) await DELETE_KEPT.rows(this.database, [ids]);
      found = beyond.length;
    } while (found === FOUND_AT_ONCE);
    const [{ bytes } = { bytes: '0' }] = await KEPT_BEFORE.rows(this.database, [org, until]);
    if (bytes === '0') this.counted.delete(org);
    else this.counted.set(org, Number(bytes));
  }

  /** By organization. */
  private async bytesBetween(from: string, to: string): Promise<Map<string, number>> {
    const rows = await KEPT_BETWEEN.rows(this.database, [from, to]);
    return new Map(rows.map(({ org_id, bytes }) => [org_id, Number(bytes)]));
  }

  private bytesOf(org: string): number {
    return this.counted.get(org) ?? 0;
  }
}

/** The ids of messages, in portions that are deleted at once. */
function* portions(messages: readonly { id: string; size: number }[]): Generator<string[]> {
  let [ids, bytes]: [string[], number] = [[], 0];
  for (const { id, size } of messages) {
    if (ids.length === DELETED_AT_ONCE.messages || bytes >= DELETED_AT_ONCE.bytes) {
      yield ids;
      [ids, bytes] = [[], 0];
    }
    ids.push(id);
    bytes += size;
  }
  if (ids.length > 0) yield ids;
}
