interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches calls: what arrives while a call is under way goes into the next one. The busier the process
 * is, the fewer statements it needs for each item.
 */
export class GroupedCalls<Item, Result> {
  private waiting: Call<Item, Result>[] = [];
  private isRunning = false;

  /** @param run answers each item at its place */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly most: number,
  ) {}

  /** @throws what the call of its group throws */
  call(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isRunning) void this.runAll();
    });
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    // Items of the same turn of the event loop form one batch.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.runGroup(this.waiting.splice(0, this.most));
    this.isRunning = false;
  }

  private async runGroup(group: readonly Call<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error('A call of a group was not answered.'));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
