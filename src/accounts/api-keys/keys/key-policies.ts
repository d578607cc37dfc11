import { Injectable } from '@nestjs/common';
import { AddressRanges, type Caller, type Permission, PermissionTable } from '../../../kernel/auth';
import { Clock, StartError } from '../../../kernel/common';
import {
  KeyExceedsMakerError,
  KeyExpiryInvalidError,
  KeyOutlivesMakerError,
  KeyScopeUnknownError,
} from '../api-keys.errors';

/** A key that a user wants to make. */
export interface WantedKey {
  /** The organization that it is to count in; null for all of the user. */
  readonly orgId: string | null;
  /** Null for now. */
  readonly notBefore: Date | null;
  /** Null for one that does not end. */
  readonly expiresAt: Date | null;
  /** The permissions that it can use at most; null for all of the user. */
  readonly scopes: readonly Permission[] | null;
  /** The only addresses from which it counts, in CIDR notation; null for all. */
  readonly addressRanges: readonly string[] | null;
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

  constructor(
    private readonly clock: Clock,
    private readonly permissions: PermissionTable,
  ) {}

  /**
   * Has all keys that users make checked by a policy.
   * @throws StartError when there is one already
   */
  use(policy: KeyPolicy): void {
    if (this.policy !== null) throw new StartError('There are two extensions with a policy of keys.');
    this.policy = policy;
  }

  /**
   * The scopes of a key that a caller makes.
   * @param names undefined for those of the caller's key
   * @throws KeyScopeUnknownError
   * @internal
   */
  scopes({ scopes }: Caller, names: readonly string[] | null | undefined): Permission[] | null {
    if (names === undefined) return scopes === null ? null : [...scopes];
    if (names === null) return null;
    const known = this.permissions.known(names);
    const unknown = names.find((name) => !known.some((permission) => permission === name));
    if (unknown !== undefined) throw new KeyScopeUnknownError(unknown);
    return known;
  }

  /**
   * The addresses from which a key counts that a caller makes, in CIDR notation.
   * @param texts undefined for those of the caller's key
   * @throws AddressRangeInvalidError
   * @internal
   */
  addressRanges({ addresses }: Caller, texts: readonly string[] | null | undefined): string[] | null {
    if (texts === undefined) return addresses?.texts ?? null;
    return texts === null ? null : new AddressRanges(texts).texts;
  }

  /**
   * Checks that a key can do no more than the one that makes it, from no other addresses.
   * @throws KeyExceedsMakerError
   * @internal
   */
  checkReach(caller: Caller, { scopes, addressRanges }: WantedKey): void {
    const exceedsScopes =
      caller.scopes !== null &&
      (scopes === null || scopes.some((scope) => caller.scopes?.has(scope) !== true));
    const exceedsAddresses =
      caller.addresses !== null &&
      (addressRanges === null || !caller.addresses.cover(new AddressRanges(addressRanges)));
    if (exceedsScopes || exceedsAddresses) throw new KeyExceedsMakerError();
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
