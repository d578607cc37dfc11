/** Returns its items in random order, each once before any is repeated. */
export class ShuffledCycle<T> {
  private left: T[] = [];

  constructor(private readonly items: readonly T[]) {}

  take(): T {
    if (this.left.length === 0) this.left = [...this.items];
    const [taken] = this.left.splice(Math.floor(Math.random() * this.left.length), 1);
    if (taken === undefined) throw new Error('The cycle has no items.');
    return taken;
  }
}
