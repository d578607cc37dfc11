/** The key within each scope (a user, an organization, all); null where the scope does not apply. */
type SemaphoreKeys<Scope extends string> = Readonly<Record<Scope, string | number | null>>;

/** How something is taken that may not be free yet. */
export interface Waiting {
  /** The permits to take in each scope; one by default. */
  readonly units?: number;
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal;
}

interface Waiter<Scope extends string> {
  readonly keys: SemaphoreKeys<Scope>;
  readonly units: number;
  readonly begin: (release: () => void) => void;
  readonly leave: (reason: unknown) => void;
}

/** Limits concurrency in several scopes at once, so that nobody takes more than their share of any. */
export class KeyedSemaphore<Scope extends string> {
  private readonly taken = new Map<string, number>();
  private readonly waiters = new Set<Waiter<Scope>>();

  /**
   * @param most how much one may take of each scope, or says how much of what one key has; the first that is full is named
   * @param refusal the error of {@link take} where one is full
   */
  constructor(
    private readonly most: Readonly<Record<Scope, number | ((key: string) => number)>>,
    private readonly refusal = (most: number, scope: Scope): Error =>
      new Error(`${most} of ${scope} are taken`),
  ) {}

  /** The number of waiters. */
  get waiting(): number {
    return this.waiters.size;
  }

  /** The permits that a key holds in a scope. */
  used(scope: Scope, key: string | number): number {
    return this.taken.get(nameOf(scope, key)) ?? 0;
  }

  /** Whether so much more fits in. */
  fits(keys: SemaphoreKeys<Scope>, units = 1): boolean {
    return this.fullScope(keys, units) === null;
  }

  /**
   * Takes so much of each scope.
   * @returns gives it back; further calls do nothing
   * @throws the refusal, when a scope is full
   */
  take(keys: SemaphoreKeys<Scope>, units = 1): () => void {
    const full = this.fullScope(keys, units);
    if (full !== null) throw this.refusal(full.most, full.scope);
    const names = this.scopes().flatMap((scope) => namesOf(scope, keys));
    for (const name of names) this.add(name, units);
    return () => {
      for (const name of names.splice(0)) this.add(name, -units);
      this.admit();
    };
  }

  /**
   * As {@link take}, once permits are free. The longest waiting goes first, but nobody waits for a scope that only others exhaust.
   * @throws the signal's reason, when it aborts before that
   */
  async acquire(keys: SemaphoreKeys<Scope>, { units = 1, signal }: Waiting = {}): Promise<() => void> {
    signal?.throwIfAborted();
    if (!this.isBehindItsOwn(keys) && this.fits(keys, units)) return this.take(keys, units);
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        this.waiters.delete(waiter);
        signal?.removeEventListener('abort', giveUp);
        reject(reason instanceof Error ? reason : new Error('aborted'));
      };
      const giveUp = (): void => leave(signal?.reason);
      const waiter: Waiter<Scope> = {
        keys,
        units,
        begin: (release) => {
          signal?.removeEventListener('abort', giveUp);
          resolve(release);
        },
        leave,
      };
      this.waiters.add(waiter);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Ends the waits that there are now. @param reason what they fail with */
  turnAway(reason: Error): void {
    for (const waiter of this.waiters) waiter.leave(reason);
  }

  /** Does something for which one of each scope is taken meanwhile. @throws the refusal */
  async during<Result>(keys: SemaphoreKeys<Scope>, work: () => Promise<Result>): Promise<Result> {
    const release = this.take(keys);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** As {@link during}, as soon as it is free. @throws the signal's reason, when it aborts before that */
  async whenFree<Result>(
    keys: SemaphoreKeys<Scope>,
    work: () => Promise<Result>,
    waiting?: Waiting,
  ): Promise<Result> {
    const release = await this.acquire(keys, waiting);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Whether somebody with the same keys waits: a later, smaller request must not overtake it. */
  private isBehindItsOwn(keys: SemaphoreKeys<Scope>): boolean {
    const isSame = (other: SemaphoreKeys<Scope>): boolean =>
      this.scopes().every((scope) => other[scope] === keys[scope]);
    return [...this.waiters].some((waiter) => isSame(waiter.keys));
  }

  private admit(): void {
    for (const waiter of this.waiters) {
      if (!this.fits(waiter.keys, waiter.units)) continue;
      this.waiters.delete(waiter);
      waiter.begin(this.take(waiter.keys, waiter.units));
    }
  }

  private fullScope(keys: SemaphoreKeys<Scope>, units: number): { scope: Scope; most: number } | null {
    for (const scope of this.scopes()) {
      const key = keys[scope];
      if (key === null) continue;
      const given = this.most[scope];
      const most = typeof given === 'number' ? given : given(String(key));
      if (this.used(scope, key) + units > most) return { scope, most };
    }
    return null;
  }

  private scopes(): Scope[] {
    const scopes: Scope[] = [];
    for (const scope in this.most) scopes.push(scope);
    return scopes;
  }

  private add(name: string, step: number): void {
    const count = (this.taken.get(name) ?? 0) + step;
    if (count === 0) this.taken.delete(name);
    else this.taken.set(name, count);
  }
}

function namesOf<Scope extends string>(scope: Scope, keys: SemaphoreKeys<Scope>): string[] {
  return keys[scope] === null ? [] : [nameOf(scope, keys[scope])];
}

function nameOf(scope: string, key: string | number): string {
  return `${scope} ${key}`;
}
