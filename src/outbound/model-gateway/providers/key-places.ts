import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock, KeyedSemaphore } from '../../../kernel/common';
import { organizationShare, SETTINGS, type Settings } from '../../../kernel/config';
import { GatewayBusyError } from '../model-gateway.errors';

/** How long a call waits for its turn with a key. */
const WAIT_MS = 20_000;
/** Calls that wait; each search for the next one looks at all of them. */
const MOST_WAITING = 500;
/** A provider that asks for more is asked again all the same. */
const MOST_PAUSE_MS = 120_000;
const MOST_PAUSES = 10_000;

/** A key of a provider, as what limits count by. */
export interface KeyOfProvider {
  readonly origin: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** The organization that calls. */
  readonly orgId: string;
  /** Whether other organizations call with the same key. */
  readonly isShared: boolean;
}

interface Pause {
  readonly until: number;
  readonly isAskedFor: boolean;
}

/** The calls that are made at a time with each key of a provider, and how long a provider asked to wait with one. */
@Injectable()
export class KeyPlaces {
  private readonly places: KeyedSemaphore<'key' | 'organization'>;
  private readonly pauses = new Map<string, Pause>();

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly clock: Clock,
  ) {
    const most = settings.MODEL_GATEWAY_CALLS_PER_KEY;
    const organization = organizationShare(most, settings);
    this.places = new KeyedSemaphore({ key: most, organization });
  }

  /** @returns gives the place back; null where all are taken */
  tryTake(key: KeyOfProvider): (() => void) | null {
    const keys = keysOf(key);
    return this.places.fits(keys) ? this.places.take(keys) : null;
  }

  /** Waits for a place. @throws GatewayBusyError, or the signal's reason */
  async take(key: KeyOfProvider, signal: AbortSignal): Promise<() => void> {
    if (this.places.waiting >= MOST_WAITING) throw new GatewayBusyError('with this key of the provider', 5);
    const late = AbortSignal.timeout(WAIT_MS);
    try {
      return await this.places.acquire(keysOf(key), { signal: AbortSignal.any([signal, late]) });
    } catch (error) {
      if (late.aborted) throw new GatewayBusyError('with this key of the provider', 5);
      throw error;
    }
  }

  /**
   * Notes that a provider is better not called with a key for a while.
   * @param isAskedFor whether it asked for that itself
   */
  pause(key: KeyOfProvider, milliseconds: number, isAskedFor: boolean): void {
    const name = `${keysOf(key).key} ${key.model}`;
    this.pauses.delete(name);
    const [oldest] = this.pauses.keys();
    if (this.pauses.size >= MOST_PAUSES && oldest !== undefined) this.pauses.delete(oldest);
    const until = this.clock.monotonicMs() + Math.min(milliseconds, MOST_PAUSE_MS);
    this.pauses.set(name, { until, isAskedFor });
  }

  /** Milliseconds for which a provider is better not called with a key; 0 for none. */
  pauseOf(key: KeyOfProvider): { readonly milliseconds: number; readonly isAskedFor: boolean } {
    // Most calls meet no pause at all.
    const pause = this.pauses.size === 0 ? undefined : this.pauses.get(`${keysOf(key).key} ${key.model}`);
    const milliseconds = pause === undefined ? 0 : pause.until - this.clock.monotonicMs();
    if (pause === undefined || milliseconds <= 0) return { milliseconds: 0, isAskedFor: false };
    return { milliseconds, isAskedFor: pause.isAskedFor };
  }
}

/** Keys stay out of what is kept in memory by name. */
function keysOf({ origin, apiKey, orgId, isShared }: KeyOfProvider): {
  key: string;
  organization: string | null;
} {
  const key = createHash('sha256')
    .update(`${origin}\n${apiKey ?? ''}`)
    .digest('base64url');
  return { key, organization: isShared ? `${key} ${orgId}` : null };
}
