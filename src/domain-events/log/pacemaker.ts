/** How often a {@link Pacemaker} beats, in milliseconds. */
export interface Pace {
  /** From the end of a beat to the next, at least. */
  readonly gapMs: number;
  /** From the end of a beat to the next without a wake-up. */
  readonly pollMs: number;
}

/** Calls a function again and again, never twice at a time: when it is woken, and otherwise at intervals. */
export class Pacemaker {
  private readonly beating = new AbortController();
  private running: Promise<void> | undefined;
  private isWoken = false;
  private interrupt: () => void = () => undefined;

  /** @param beat never rejects; says whether it is to be called again as soon as it may */
  constructor(
    private readonly beat: () => Promise<boolean>,
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
    while (!this.beating.signal.aborted) {
      this.isWoken = false;
      const hasMore = await this.beat();
      if (hasMore) this.isWoken = true;
      await this.sleep(this.pace.gapMs, false);
      if (!this.isWoken) await this.sleep(this.pace.pollMs, true);
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
