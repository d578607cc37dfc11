const TOTAL = 12;
const PER_ORGANIZATION = 6;

interface Waiting {
  readonly orgId: string;
  readonly start: () => void;
}

/**
 * Limits how many repositories the process fetches at once, in all and for one organization, so that slow
 * repositories of one do not block the others.
 */
export class CloneSlots {
  private readonly running = new Map<string, number>();
  private readonly waiting: Waiting[] = [];
  private total = 0;

  constructor(private readonly limits = { total: TOTAL, perOrganization: PER_ORGANIZATION }) {}

  /**
   * Runs the work as soon as a slot is free.
   * @throws the signal's reason, when it aborts before that
   */
  async run<T>(orgId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(orgId, signal);
    try {
      return await work();
    } finally {
      this.leave(orgId);
    }
  }

  private enter(orgId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const waiting: Waiting = {
        orgId,
        start: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiting);
      this.startNext();
    });
  }

  private leave(orgId: string): void {
    this.count(orgId, -1);
    this.startNext();
  }

  private startNext(): void {
    for (;;) {
      if (this.total >= this.limits.total) return;
      const index = this.waiting.findIndex(
        ({ orgId }) => (this.running.get(orgId) ?? 0) < this.limits.perOrganization,
      );
      const [next] = index === -1 ? [] : this.waiting.splice(index, 1);
      if (!next) return;
      this.count(next.orgId, 1);
      next.start();
    }
  }

  private count(orgId: string, change: 1 | -1): void {
    this.total += change;
    const running = (this.running.get(orgId) ?? 0) + change;
    if (running === 0) this.running.delete(orgId);
    else this.running.set(orgId, running);
  }
}
