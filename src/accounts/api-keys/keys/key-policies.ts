import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/auth';
import { Clock, StartError } from '../../../kernel/common';
import { KeyExpiryInvalidError, KeyOutlivesMakerError } from '../api-keys.errors';

/** A key that a user wants to make. */
export interface WantedKey {
  /** The organization that it is to count in; null for all of the user. */
  readonly orgId: string | null;
  /** Null for now. */
  readonly notBefore: Date | null;
  /** Null for one that does not end. */
  readonly expiresAt: Date | null;
}

/** Which keys users may make, beyond the rules of the service (docs/extending.md#replacing-parts). */
export interface KeyPolicy {
  /**
   * @param caller whoever makes it
   * @throws AppError when it must not be made, which the caller is answered
   */
  check(caller: Caller, wanted: WantedKey): Promise<void>;
}

/** What holds for the keys that users make: the rules of the service, and the policy of an extension where there is one. */
@Injectable()
export class KeyPolicies {
  private policy: KeyPolicy | null = null;

  constructor(private readonly clock: Clock) {}

  /**
   * Has all keys that users make checked by a policy.
   * @throws StartError when there is one already
   */
  use(policy: KeyPolicy): void {
    if (this.policy !== null) throw new StartError('There are two extensions with a policy of keys.');
    this.policy = policy;
  }

  /**
   * Checks when a key would work.
   * @throws KeyExpiryInvalidError, KeyOutlivesMakerError
   * @internal
   */
  checkTimes({ keyExpiresAt }: Caller, { notBefore, expiresAt }: WantedKey): void {
    if (expiresAt && (expiresAt <= this.clock.now() || (notBefore && notBefore >= expiresAt)))
      throw new KeyExpiryInvalidError();
    if (keyExpiresAt !== null && (expiresAt === null || expiresAt > keyExpiresAt))
      throw new KeyOutlivesMakerError();
  }

  /**
   * Checks a key that the rules of the service allow, by the policy.
   * @throws what the policy throws
   * @internal
   */
  async check(caller: Caller, wanted: WantedKey): Promise<void> {
    await this.policy?.check(caller, wanted);
  }
}
