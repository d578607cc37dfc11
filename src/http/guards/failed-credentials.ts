import { Injectable } from '@nestjs/common';
import { UnauthenticatedError } from '../../auth';
import { RequestLimits, TooManyFailedCredentialsError } from '../../request-limits';

/**
 * Limits the credentials of an address that do not work (docs/contract.md#request-limits). One that works is answered
 * also beyond the limit, but credentials of such an address are looked up one at a time: whatever it sends, it keeps
 * one connection of the database busy at most.
 */
@Injectable()
export class FailedCredentials {
  /** The last look-up of each address that is beyond its limit. */
  private readonly lookUps = new Map<string, Promise<unknown>>();

  constructor(private readonly limits: RequestLimits) {}

  /**
   * Authenticates a request.
   * @throws what `lookUp` throws; TooManyFailedCredentialsError in place of an UnauthenticatedError beyond the limit
   */
  async watch<T>(address: string, lookUp: () => Promise<T>): Promise<T> {
    const isUsedUp = await this.limits.isUsedUp('failed', address);
    try {
      return await (isUsedUp ? this.afterOthers(address, lookUp) : lookUp());
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      const standing = await this.limits.count('failed', address);
      throw standing?.isExceeded === true ? new TooManyFailedCredentialsError(standing) : error;
    }
  }

  private afterOthers<T>(address: string, lookUp: () => Promise<T>): Promise<T> {
    const others = this.lookUps.get(address) ?? Promise.resolve();
    const result = others.then(lookUp);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    this.lookUps.set(address, ended);
    void ended.then(() => {
      if (this.lookUps.get(address) === ended) this.lookUps.delete(address);
    });
    return result;
  }
}
