/** A queue for one worker, fair among organizations: the one that took the least time goes next. */
export class FairQueue<Item> {
  /** Organizations with waiting items, in order of arrival. */
  private readonly waiting = new Map<string, Item[]>();
  private readonly spentMs = new Map<string, number>();
  /** The time of the organization that was served last: a new one begins there, without credit from before. */
  private floorMs = 0;

  add(orgId: string, item: Item): void {
    const items = this.waiting.get(orgId);
    if (items !== undefined) items.push(item);
    else this.waiting.set(orgId, [item]);
  }

  /** Takes the next one out; undefined when nothing waits. */
  take(): { readonly orgId: string; readonly item: Item } | undefined {
    let next: string | undefined;
    for (const orgId of this.waiting.keys())
      if (next === undefined || this.spent(orgId) < this.spent(next)) next = orgId;
    const items = next === undefined ? undefined : this.waiting.get(next);
    const item = items?.shift();
    if (next === undefined || items === undefined || item === undefined) {
      this.spentMs.clear();
      this.floorMs = 0;
      return undefined;
    }
    this.floorMs = this.spent(next);
    if (items.length === 0) this.waiting.delete(next);
    return { orgId: next, item };
  }

  /** Counts the time that the worker had for an organization. */
  count(orgId: string, ms: number): void {
    this.spentMs.set(orgId, this.spent(orgId) + ms);
  }

  private spent(orgId: string): number {
    return Math.max(this.spentMs.get(orgId) ?? 0, this.floorMs);
  }
}
