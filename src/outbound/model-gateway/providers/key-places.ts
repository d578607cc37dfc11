import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ModelCaller, ModelTarget } from '../../../agents/agent-settings';
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
  /** The address that is set; the origin of the provider's own. */
  readonly address: string;
  readonly target: Pick<ModelTarget, 'apiKey' | 'headers' | 'isShared' | 'isOwn'>;
  readonly model: string;
  /** Who calls. */
  readonly caller: Pick<ModelCaller, 'orgId' | 'userId'>;
}

interface Pause {
  readonly until: number;
  readonly isAskedFor: boolean;
}

/** What a provider asked of one organization with a key that all share. */
interface SharedPause extends Pause {
  readonly orgId: string;
  /** Whether another one met it as well: then it is for all. */
  readonly isForAll: boolean;
}

const NO_PAUSE = { milliseconds: 0, isAskedFor: false };

/** The calls that are made at a time with each key of a provider, and how long a provider asked to wait with one. */
@Injectable()
export class KeyPlaces {
  private readonly places: KeyedSemaphore<'key' | 'organization'>;
  private readonly waiters: KeyedSemaphore<'organization' | 'replica'>;
  private readonly pauses = new Map<string, Pause>();
  private readonly shared = new Map<string, SharedPause>();

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly clock: Clock,
  ) {
    const most = settings.MODEL_GATEWAY_CALLS_PER_KEY;
    const organization = organizationShare(most, settings);
    this.places = new KeyedSemaphore({ key: most, organization });
    this.waiters = new KeyedSemaphore(
      { organization: organizationShare(MOST_WAITING, settings), replica: MOST_WAITING },
      busy,
    );
  }

  /** @returns gives the place back; null where all are taken */
  tryTake(key: KeyOfProvider): (() => void) | null {
    const keys = keysOf(key);
    return this.places.fits(keys) ? this.places.take(keys) : null;
  }

  /** Waits for a place. @throws GatewayBusyError, or the signal's reason */
  async take(key: KeyOfProvider, signal: AbortSignal): Promise<() => void> {
    const leave = this.waiters.take({ organization: key.caller.orgId, replica: 'all' });
    const late = AbortSignal.timeout(WAIT_MS);
    try {
      return await this.places.acquire(keysOf(key), { signal: AbortSignal.any([signal, late]) });
    } catch (error) {
      throw late.aborted ? busy() : error;
    } finally {
      leave();
    }
  }

  /**
   * Notes that a provider is better not called with a key for a while: of a shared one, by the organization that met it. What
   * two of them were asked is for all; one alone may call as it likes to be asked.
   * @param isAskedFor whether the provider asked for that itself
   */
  pause(key: KeyOfProvider, milliseconds: number, isAskedFor: boolean): void {
    const { isShared } = key.target;
    const { orgId } = key.caller;
    const { own, all } = pauseNames(key);
    const until = this.clock.monotonicMs() + Math.min(milliseconds, MOST_PAUSE_MS);
    note(this.pauses, own, { until, isAskedFor });
    if (!isShared || !isAskedFor) return;
    const before = this.shared.get(all);
    const isUnderWay = before !== undefined && before.until > this.clock.monotonicMs();
    const isForAll = isUnderWay && (before.isForAll || before.orgId !== orgId);
    note(this.shared, all, { until, isAskedFor, orgId, isForAll });
  }

  /** Milliseconds for which a provider is better not called with a key; 0 for none. */
  pauseOf(key: KeyOfProvider): { readonly milliseconds: number; readonly isAskedFor: boolean } {
    // Most calls meet no pause at all.
    if (this.pauses.size === 0) return NO_PAUSE;
    const { own, all } = pauseNames(key);
    const shared = key.target.isShared ? this.shared.get(all) : undefined;
    const now = this.clock.monotonicMs();
    return [this.pauses.get(own), shared?.isForAll === true ? shared : undefined]
      .flatMap((pause) => pause ?? [])
      .map(({ until, isAskedFor }) => ({ milliseconds: until - now, isAskedFor }))
      .reduce((longest, pause) => (pause.milliseconds > longest.milliseconds ? pause : longest), NO_PAUSE);
  }
}

const busy = (): GatewayBusyError => new GatewayBusyError('with this key of the provider', 5);

/** Notes a pause last, and forgets the first of too many. */
function note<Noted extends Pause>(pauses: Map<string, Noted>, name: string, pause: Noted): void {
  pauses.delete(name);
  const [oldest] = pauses.keys();
  if (pauses.size >= MOST_PAUSES && oldest !== undefined) pauses.delete(oldest);
  pauses.set(name, pause);
}

function pauseNames(key: KeyOfProvider): { readonly own: string; readonly all: string } {
  const all = `${keysOf(key).key} ${key.model}`;
  return { own: key.target.isShared ? `${all} ${key.caller.orgId}` : all, all };
}

/** Keys stay out of what is kept in memory by name. */
function keysOf(of: KeyOfProvider): { key: string; organization: string | null } {
  const { address, target, caller } = of;
  const { apiKey, headers, isShared } = target;
  const key = createHash('sha256')
    .update(JSON.stringify([address, apiKey, headers, apiKey === null ? ownerOf(of) : null]))
    .digest('base64url');
  return { key, organization: isShared ? `${key} ${caller.orgId}` : null };
}

/** Whose a place is: without a key, whoever knows its address would call in the name of all others who have it. */
function ownerOf({ target: { isShared, isOwn }, caller }: KeyOfProvider): string | null {
  if (isShared) return null;
  return isOwn ? `${caller.orgId} ${caller.userId}` : caller.orgId;
}
