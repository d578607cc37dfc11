import type { DataSource } from 'typeorm';
import {
  DELIVERED_BEFORE,
  DELIVERED_BETWEEN,
  DELIVERED_BEYOND,
  END_OF_PORTION,
  SETTLED_UNTIL,
} from '../queue/queue-context.read-model';
import { DELETE_DELIVERED } from '../queue/queue.query';

const BEGINNING = '-infinity';
const END = 'infinity';

/** The share of the limit to which an organization beyond it is cut back; the rest is room for what comes next. */
export const KEPT_SHARE = 0.95;

/** As many as one statement deletes well within its time limit. */
const DELETED_AT_ONCE = 10_000;

/** As many as one statement counts well within its time limit. */
const COUNTED_AT_ONCE = 100_000;

/**
 * Keeps the delivered messages of each organization within a number of bytes. It counts what was delivered since it
 * looked last, rather than all that is kept; what has gone meanwhile is noticed when an organization seems to have too
 * much, which is then counted anew. That reads all its messages, so enough of them go that it is not due each time.
 */
export class DeliveredBytes {
  /** Bytes of each organization that were delivered before `countedTo`: no fewer than there are. */
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
   * Deletes the oldest messages of organizations that are beyond the limit, until they are a twentieth below it; except
   * where the outcome of another is unknown.
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
    for (const org of new Set([...this.counted.keys(), ...recent.keys()])) {
      if (this.bytesOf(org) + (recent.get(org) ?? 0) <= this.most) continue;
      await this.cutBack(org);
      const [{ bytes } = { bytes: '0' }] = await DELIVERED_BEFORE.rows(this.database, [org, until]);
      if (bytes === '0') this.counted.delete(org);
      else this.counted.set(org, Number(bytes));
    }
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

  private async cutBack(org: string): Promise<void> {
    const kept = Math.floor(KEPT_SHARE * this.most);
    let deleted: number;
    do {
      const beyond = await DELIVERED_BEYOND.rows(this.database, [kept, org, DELETED_AT_ONCE]);
      const ids = beyond.map(({ id }) => id);
      deleted = ids.length === 0 ? 0 : (await DELETE_DELIVERED.rows(this.database, [ids])).length;
      // Fewer where the last ones are gone, or a delivery has begun since: those are for the next look.
    } while (deleted === DELETED_AT_ONCE);
  }

  /** By organization. */
  private async bytesBetween(from: string, to: string): Promise<Map<string, number>> {
    const rows = await DELIVERED_BETWEEN.rows(this.database, [from, to]);
    return new Map(rows.map(({ org_id, bytes }) => [org_id, Number(bytes)]));
  }

  private bytesOf(org: string): number {
    return this.counted.get(org) ?? 0;
  }
}
