import { setTimeout } from 'node:timers/promises';
import { outsideOfSpans } from '../../telemetry';
import { isDatabaseUnavailable, isRolledBack } from '../connection/database-errors';

interface WaitingCall<Call, Taken> {
  readonly call: Call;
  readonly resolve: (taken: Taken | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls of which one statement takes several, and so commits them together: those that arrive while a statement is on its way
 * wait for it, and are taken by the next one (docs/decisions/0049-events-taken-by-one-statement.md).
 */
export class CallsTogether<Call, Taken> {
  private readonly waiting: WaitingCall<Call, Taken>[] = [];
  private isTaking = false;

  /**
   * @param takeAll the statement: what it returns for each call in its place, null for one that it leaves alone. It waits for
   *   nothing that is of one call only, since all wait for it
   * @param shareOf how much of a statement a call takes: those of one are 1 together, and a larger call is left alone
   * @param gatherMs how long a statement that is not full waits for more of them, where nobody waits for its end
   */
  constructor(
    private readonly takeAll: (calls: readonly Call[]) => Promise<readonly (Taken | null)[]>,
    private readonly shareOf: (call: Call) => number,
    private readonly gatherMs: () => number = () => 0,
  ) {}

  /**
   * @returns null for a call for which nothing was done, and which goes its own way
   * @throws what PostgreSQL says when it is away
   */
  async take(call: Call): Promise<Taken | null> {
    if (this.shareOf(call) > 1) return null;
    return new Promise((resolve, reject) => {
      this.waiting.push({ call, resolve, reject });
      if (!this.isTaking) void outsideOfSpans(() => this.takeWaiting());
    });
  }

  private async takeWaiting(): Promise<void> {
    this.isTaking = true;
    while (this.waiting.length > 0) {
      const gatherMs = this.gatherMs();
      if (gatherMs > 0 && this.nextCount() === this.waiting.length) await setTimeout(gatherMs);
      const together = this.waiting.splice(0, this.nextCount());
      try {
        const taken = await this.takeAll(together.map(({ call }) => call));
        for (const [n, { resolve }] of together.entries()) resolve(taken[n] ?? null);
      } catch (error) {
        // Whoever waits behind them would wait as long for the same.
        if (isDatabaseUnavailable(error) && !isRolledBack(error))
          for (const { reject } of [...together, ...this.waiting.splice(0)]) reject(error);
        // What is wrong with one of them, or holds up one, is no matter of the others: each goes its own way.
        else for (const { resolve } of together) resolve(null);
      }
    }
    this.isTaking = false;
  }

  private nextCount(): number {
    let share = 0;
    const end = this.waiting.findIndex(({ call }) => (share += this.shareOf(call)) > 1);
    return end === -1 ? this.waiting.length : end;
  }
}
