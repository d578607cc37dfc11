import { Injectable } from '@nestjs/common';
import { UnauthenticatedError } from '../../auth';
import { RequestLimits, TooManyFailedCredentialsError } from '../../request-limits';

/**
 * Limits failed authentication attempts per address (docs/contract.md#request-limits). Valid credentials still work
 * beyond the limit, but lookups for that address are serialized, so it occupies at most one database connection.
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
    const isExhausted = await this.limits.isExhausted('failed', address);
    try {
      return await (isExhausted ? this.serialize(address, lookUp) : lookUp());
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      const status = await this.limits.count('failed', address);
      throw status?.isExceeded === true ? new TooManyFailedCredentialsError(status) : error;
    }
  }

  private serialize<T>(address: string, lookUp: () => Promise<T>): Promise<T> {
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
