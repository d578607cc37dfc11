/** How often a {@link Pacemaker} beats, in milliseconds. */
export interface Pace {
  /** From the end of a beat to the next, at least. */
  readonly gapMs: number;
  /** From the end of a beat to the next without a wake-up. */
  readonly pollMs: number;
  /** From a beat that failed to the next, whoever wakes it: twice as long each time, until one succeeds. */
  readonly retryMs: number;
  /** At most so long. */
  readonly mostRetryMs: number;
}

/**
 * What came of a beat: `again` is to come again as soon as it may; so is `elsewhere`, where somebody else is at it, which
 * says nothing of whether it would fail.
 */
export type Beat = 'again' | 'elsewhere' | 'done' | 'failed';

/**
 * Calls a function again and again, never twice at a time: when it is woken, and otherwise at intervals. What fails again and
 * again is left in peace for longer and longer.
 */
export class Pacemaker {
  private readonly beating = new AbortController();
  private running: Promise<void> | undefined;
  private isWoken = false;
  private interrupt: () => void = () => undefined;

  /** @param beat never rejects */
  constructor(
    private readonly beat: () => Promise<Beat>,
    private readonly pace: Pace,
  ) {}

  /** Begins to beat. */
  start(): void {
    this.running ??= this.run();
  }

  /** Beats as soon as it may: at once, or when the present beat has ended and the gap is over. */
  wake(): void {
    this.isWoken = true;
    this.interrupt();
  }

  /** Ends it after the present beat. */
  async stop(): Promise<void> {
    this.beating.abort();
    this.interrupt();
    await this.running;
  }

  private async run(): Promise<void> {
    const { gapMs, pollMs, retryMs, mostRetryMs } = this.pace;
    for (let failures = 0; !this.beating.signal.aborted;) {
      this.isWoken = false;
      const beat = await this.beat();
      if (beat === 'failed') {
        await this.sleep(Math.min(retryMs * 2 ** failures++, mostRetryMs), false);
        continue;
      }
      if (beat !== 'elsewhere') failures = 0;
      if (beat !== 'done') this.isWoken = true;
      await this.sleep(gapMs, false);
      if (!this.isWoken) await this.sleep(pollMs, true);
    }
  }

  private sleep(ms: number, canBeWoken: boolean): Promise<void> {
    if (this.beating.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.interrupt = () => {
        if (!canBeWoken && !this.beating.signal.aborted) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
