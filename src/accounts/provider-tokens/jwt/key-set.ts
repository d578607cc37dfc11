import type { Clock } from '../../../kernel/common';
import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters, Jose, LocalJWKSet } from './jose';

/** From then on they are read again, while those that are known go on to count. */
const FRESH_MS = 5 * 60_000;
/** From then on tokens wait for them, unless the provider did not answer: one that was withdrawn counts no longer than that. */
const LATE_MS = 6 * 60_000;
/** How long they count where the provider does not answer. */
const USABLE_MS = 60 * 60_000;
/** Between two readings for key ids that are unknown, whatever tokens come. */
const GAP_MS = 30_000;
/** After a reading that failed. */
const GAP_AFTER_FAILURE_MS = 5_000;
/** Ids that are not looked for before the keys are read again anyway: tokens of keys that are gone go on to come for a while. */
const MAX_ABSENT = 1_000;

/** A provider's keys could not be read, and none are known that still count. */
export class KeysUnavailableError extends Error {}

interface KnownKeys {
  readonly find: LocalJWKSet;
  readonly readAt: number;
}

/**
 * The published keys of a provider: read when a token needs them, remembered, and read again when a token names a key that is not among
 * them, at most once in half a minute (docs/provider-tokens.md#keys-of-the-provider). One reading serves all who wait.
 */
export class KeySet {
  private known: KnownKeys | null = null;
  private reading: Promise<void> | null = null;
  private readableFrom = -Infinity;
  private searchableFrom = -Infinity;
  private hasFailed = false;
  private readonly absent = new Set<string>();

  /** @param load reads the keys of the provider; throws where it does not answer with any */
  constructor(
    private readonly jose: Jose,
    private readonly clock: Clock,
    private readonly load: () => Promise<JSONWebKeySet>,
  ) {}

  /**
   * The key that the header of a token names.
   * @throws KeysUnavailableError; an error of the library where there is no such key, or several
   */
  async keyFor(header: JWSHeaderParameters): Promise<CryptoKey> {
    const keys = await this.usable();
    try {
      return await keys.find(header);
    } catch (error) {
      if (!(error instanceof this.jose.errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.after(keys, header.kid ?? '');
      if (newer === null) throw error;
      return newer.find(header);
    }
  }

  /** Those that are known, where they count; reads them, or has them read meanwhile, where they are old. */
  private async usable(): Promise<KnownKeys> {
    const age = this.known === null ? Infinity : this.clock.monotonicMs() - this.known.readAt;
    if (age > USABLE_MS) await this.read();
    else if (age > FRESH_MS) {
      const reading = this.read().catch(() => undefined);
      if (age > LATE_MS && !this.hasFailed) await reading;
    }
    if (this.known === null || this.clock.monotonicMs() - this.known.readAt > USABLE_MS)
      throw new KeysUnavailableError();
    return this.known;
  }

  /** The keys after those in which there is none of an id; null where they are not read again for it. */
  private async after(keys: KnownKeys, id: string): Promise<KnownKeys | null> {
    if (this.known === keys && !this.absent.has(id)) {
      await this.search().catch(() => undefined);
      // Not where they were not read: the provider may have published it since.
      if (this.known !== keys && this.absent.size < MAX_ABSENT) this.absent.add(id);
    }
    return this.known === keys ? null : this.known;
  }

  /** Reads them for an unknown id. @throws KeysUnavailableError */
  private search(): Promise<void> {
    const now = this.clock.monotonicMs();
    if (this.reading !== null || now < this.searchableFrom) return this.reading ?? Promise.resolve();
    this.searchableFrom = now + GAP_MS;
    return this.read();
  }

  /** Does nothing where that has just failed. @throws KeysUnavailableError */
  private read(): Promise<void> {
    if (this.reading !== null) return this.reading;
    if (this.clock.monotonicMs() < this.readableFrom) return Promise.resolve();
    this.reading = this.readOnce().finally(() => (this.reading = null));
    return this.reading;
  }

  private async readOnce(): Promise<void> {
    try {
      const set = await this.load();
      const find = this.jose.createLocalJWKSet(set);
      const now = this.clock.monotonicMs();
      if (this.known === null || now - this.known.readAt > FRESH_MS) this.absent.clear();
      this.known = { find, readAt: now };
      this.hasFailed = false;
    } catch (cause) {
      this.hasFailed = true;
      this.readableFrom = this.clock.monotonicMs() + GAP_AFTER_FAILURE_MS;
      throw new KeysUnavailableError('The keys of a provider could not be read', { cause });
    }
  }
}
