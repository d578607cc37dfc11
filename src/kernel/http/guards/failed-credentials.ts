import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CredentialVerifierUnavailableError, UnauthenticatedError } from '../../auth';
import { Clock, digestOf } from '../../common';
import { RequestLimits, TooManyFailedCredentialsError } from '../../request-limits';
import { countedAddress } from '../request/client-address';

/** Beyond that the oldest are forgotten: memory stays bounded under any flood. */
const MOST = 10_000;

/** Digests of something that happened lately. */
class RecentDigests {
  /** Expiry by digest, in order of insertion. */
  private readonly until = new Map<string, number>();

  /** @param forMs how long one counts as recent */
  constructor(
    private readonly clock: Clock,
    private readonly forMs: number,
  ) {}

  has(digest: string): boolean {
    return (this.until.get(digest) ?? 0) > this.clock.monotonicMs();
  }

  add(digest: string): void {
    this.until.delete(digest);
    this.until.set(digest, this.clock.monotonicMs() + this.forMs);
    if (this.until.size <= MOST) return;
    const [oldest] = this.until.keys();
    if (oldest !== undefined) this.until.delete(oldest);
  }

  delete(digest: string): void {
    this.until.delete(digest);
  }

  get isEmpty(): boolean {
    return this.until.size === 0;
  }
}

/** Look-ups for one address that is beyond its limit: 20 a second, one at a time. */
const LOOK_UP_GAP_MS = 50;
/** How many may wait for a turn. */
const MOST_WAITING = 32;
const WORKED_FOR_MS = 3_600_000;
const FAILED_FOR_MS = 60_000;

/** The part of a request that decides about its authentication. */
const DECISIVE = ['x-access-token', 'authorization', 'x-session-api-key', 'x-service-api-key', 'cookie'];
/** Whether its cookie counts. */
const OF_COOKIES = ['sec-fetch-site', 'origin', 'host'];

/** The look-ups of an address, of which the last one ends them all. */
interface Queue {
  last: Promise<unknown>;
  length: number;
}

/**
 * Limits failed authentication attempts per address (docs/contract.md#request-limits). Beyond the limit, valid credentials
 * still work: those that have lately worked here are looked up at once, those that have not are refused from memory, and
 * others take turns, a few at a time.
 */
@Injectable()
export class FailedCredentials {
  private readonly queues = new Map<string, Queue>();
  private readonly worked: RecentDigests;
  private readonly failed: RecentDigests;

  constructor(
    private readonly limits: RequestLimits,
    clock: Clock,
  ) {
    this.worked = new RecentDigests(clock, WORKED_FOR_MS);
    this.failed = new RecentDigests(clock, FAILED_FOR_MS);
  }

  /**
   * Authenticates a request.
   * @param of what it is authenticated for, and with what beside its headers
   * @throws what `lookUp` throws; TooManyFailedCredentialsError in its place beyond the limit, where the credential does not work or
   *   nobody could say so
   */
  async watch<T>(request: IncomingMessage, of: string, lookUp: () => Promise<T>): Promise<T> {
    const address = countedAddress(request);
    const credential = digestOf(`${textOf(request)}\0${of}`);
    try {
      const isExhausted = this.limits.isExhausted('failed', address);
      const found = await (isExhausted ? this.lookUpBeyond(address, credential, lookUp) : lookUp());
      this.worked.add(credential);
      if (!this.failed.isEmpty) this.failed.delete(at(address, credential));
      return found;
    } catch (error) {
      if (!isFailure(error)) throw error;
      const status = this.limits.count('failed', address);
      throw status?.isExceeded === true ? new TooManyFailedCredentialsError(status) : error;
    }
  }

  /**
   * Counts what costs as much as an attempt, and is none.
   * @throws TooManyFailedCredentialsError
   */
  count(request: IncomingMessage): void {
    const status = this.limits.count('failed', countedAddress(request));
    if (status?.isExceeded === true) throw new TooManyFailedCredentialsError(status);
  }

  /** @throws UnauthenticatedError also for what is not looked up */
  private async lookUpBeyond<T>(address: string, credential: string, lookUp: () => Promise<T>): Promise<T> {
    if (this.failed.has(at(address, credential))) throw new UnauthenticatedError();
    try {
      return await (this.worked.has(credential) ? lookUp() : this.inTurn(address, lookUp));
    } catch (error) {
      if (error instanceof UnauthenticatedError) {
        this.worked.delete(credential);
        this.failed.add(at(address, credential));
      }
      throw error;
    }
  }

  private inTurn<T>(address: string, lookUp: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(address) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length > MOST_WAITING) throw new UnauthenticatedError();
    this.queues.set(address, queue);
    queue.length++;
    const result = queue.last.then(lookUp);
    queue.last = result
      .catch(() => undefined)
      .then(() => sleep(LOOK_UP_GAP_MS, undefined, { ref: false }))
      .then(() => {
        if (--queue.length === 0) this.queues.delete(address);
      });
    return result;
  }
}

/** A credential may count at some addresses only: that it failed at one says nothing of others. */
function at(address: string, credential: string): string {
  return digestOf(`${address}\0${credential}`);
}

function isFailure(error: unknown): boolean {
  return error instanceof UnauthenticatedError || error instanceof CredentialVerifierUnavailableError;
}

function textOf({ method = '', headers }: IncomingMessage): string {
  const names = headers.cookie === undefined ? DECISIVE : [...DECISIVE, ...OF_COOKIES];
  return [method, ...names.map((name) => String(headers[name] ?? ''))].join('\0');
}
