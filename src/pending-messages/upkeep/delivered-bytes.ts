import type { DataSource } from 'typeorm';
import { DELIVERED_BEYOND, DELIVERED_SINCE, SETTLED_UNTIL } from '../queue/queue-context.read-model';
import { DELETE_DELIVERED } from '../queue/queue.query';

const EVER = '-infinity';

/** The share of the limit to which an organization beyond it is cut back; the rest is room for what comes next. */
const KEPT_SHARE = 0.95;

/** As many as one statement deletes well within its time limit. */
const DELETED_AT_ONCE = 10_000;

/**
 * Keeps the delivered messages of each organization within a number of bytes. It counts what was delivered since it
 * looked last, rather than all that is kept; what has gone meanwhile is noticed when an organization seems to have too
 * much, which is then counted anew. That reads all its messages, so enough of them go that it is not due each time.
 */
export class DeliveredBytes {
  /** Bytes of each organization that were delivered before `countedTo`: no fewer than there are. */
  private readonly counted = new Map<string, number>();
  private countedTo = EVER;
  private last: Promise<void> = Promise.resolve();

  /** @param most bytes that are kept of an organization */
  constructor(
    private readonly database: DataSource,
    private readonly most: number,
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
    const news = await DELIVERED_SINCE.rows(this.database, [this.countedTo, until, null]);
    for (const { org_id, settled } of news) this.counted.set(org_id, this.bytesOf(org_id) + Number(settled));
    this.countedTo = until;

    const recent = new Map(news.map((row) => [row.org_id, Number(row.recent)]));
    const full = [...this.counted.keys()].filter(
      (org) => this.bytesOf(org) + (recent.get(org) ?? 0) > this.most,
    );
    if (full.length === 0) return;
    await this.cutBack(full);
    const rest = await DELIVERED_SINCE.rows(this.database, [EVER, until, full]);
    for (const org of full) this.counted.delete(org);
    for (const { org_id, settled } of rest) this.counted.set(org_id, Number(settled));
  }

  private async cutBack(organizations: readonly string[]): Promise<void> {
    const kept = Math.floor(KEPT_SHARE * this.most);
    let deleted: number;
    do {
      const beyond = await DELIVERED_BEYOND.rows(this.database, [kept, organizations, DELETED_AT_ONCE]);
      const ids = beyond.map(({ id }) => id);
      deleted = ids.length === 0 ? 0 : (await DELETE_DELIVERED.rows(this.database, [ids])).length;
      // Fewer where the last ones are gone, or a delivery has begun since: those are for the next look.
    } while (deleted === DELETED_AT_ONCE);
  }

  private bytesOf(org: string): number {
    return this.counted.get(org) ?? 0;
  }
}
