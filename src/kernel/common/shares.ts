/** For each scope (a user, an organization, all): whose it is that is counted; null where this is of nobody there. */
export type ShareKeys<Scope extends string> = Readonly<Record<Scope, string | number | null>>;

/** Counts what is there at a time in several scopes at once, so that no one takes more than its share of any. */
export class Shares<Scope extends string> {
  private readonly taken = new Map<string, number>();

  /**
   * @param most how much one may take of each scope; the first that is full is the one that is named
   * @param refusal the error where one is full
   */
  constructor(
    private readonly most: Readonly<Record<Scope, number>>,
    private readonly refusal: (most: number, scope: Scope) => Error,
  ) {}

  /** Whether one more fits in. */
  fits(keys: ShareKeys<Scope>): boolean {
    return this.fullScope(keys) === null;
  }

  /**
   * Takes one of each scope.
   * @returns gives it back; further calls do nothing
   * @throws the refusal, when a scope is full
   */
  take(keys: ShareKeys<Scope>): () => void {
    const full = this.fullScope(keys);
    if (full !== null) throw this.refusal(this.most[full], full);
    const names = this.scopes().flatMap((scope) => nameOf(scope, keys) ?? []);
    for (const name of names) this.add(name, 1);
    return () => {
      for (const name of names.splice(0)) this.add(name, -1);
    };
  }

  /** Does something for which one of each scope is taken meanwhile. @throws the refusal */
  async during<Result>(keys: ShareKeys<Scope>, work: () => Promise<Result>): Promise<Result> {
    const release = this.take(keys);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private fullScope(keys: ShareKeys<Scope>): Scope | null {
    const isFull = (scope: Scope): boolean => {
      const name = nameOf(scope, keys);
      return name !== null && (this.taken.get(name) ?? 0) >= this.most[scope];
    };
    return this.scopes().find(isFull) ?? null;
  }

  private scopes(): Scope[] {
    const scopes: Scope[] = [];
    for (const scope in this.most) scopes.push(scope);
    return scopes;
  }

  private add(name: string, step: 1 | -1): void {
    const count = (this.taken.get(name) ?? 0) + step;
    if (count === 0) this.taken.delete(name);
    else this.taken.set(name, count);
  }
}

function nameOf<Scope extends string>(scope: Scope, keys: ShareKeys<Scope>): string | null {
  return keys[scope] === null ? null : `${scope} ${keys[scope]}`;
}
