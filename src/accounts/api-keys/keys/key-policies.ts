import { Injectable } from '@nestjs/common';
import {
  assertAccepted,
  AddressRanges,
  type Caller,
  type Permission,
  PermissionTable,
  PermissionDeniedError,
  type Standing,
} from '../../../kernel/auth';
import { Clock, StartError } from '../../../kernel/common';
import { OrgCredentialRulesService } from '../../orgs';
import type { KeyCreate } from '../api-keys.dto';
import {
  KeyAgainstRulesError,
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
  readonly scopes: readonly string[] | null;
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
    private readonly rules: OrgCredentialRulesService,
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
   * The key that a request of a caller asks for.
   * @throws KeyScopeUnknownError, AddressRangeInvalidError
   * @internal
   */
  wanted(caller: Caller, orgId: string | null, request: KeyCreate): WantedKey {
    return {
      orgId,
      notBefore: request.not_before,
      expiresAt: request.expires_at,
      scopes: this.scopes(caller, request.scopes),
      addressRanges: this.addressRanges(caller, request.address_ranges),
    };
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
    const own = caller.scopes === null ? null : new Set<string>(caller.scopes);
    const exceedsScopes = own !== null && (scopes === null || scopes.some((scope) => !own.has(scope)));
    const exceedsAddresses =
      caller.addresses !== null &&
      (addressRanges === null || !caller.addresses.cover(new AddressRanges(addressRanges)));
    if (exceedsScopes || exceedsAddresses) throw new KeyExceedsMakerError();
  }

  /**
   * Checks that a caller may make keys where one is to count, and that the organization accepts what they sent.
   * @param standing the user's there
   * @throws PermissionDeniedError, CredentialNotAcceptedError, ProviderRequiredError
   * @internal
   */
  checkPlace(caller: Caller, { permissions, rules }: Standing): void {
    if (!permissions.has('manage_api_keys')) throw new PermissionDeniedError('manage_api_keys');
    // The rules for keys are those for the one that is made.
    assertAccepted({ ...caller, ownKey: null }, rules, this.clock.now());
  }

  /**
   * Checks that a caller may have something other than a key act with all that its user may, from everywhere and without an end; what
   * organizations ask of keys besides who makes them is not asked of it.
   * @throws KeyExceedsMakerError, KeyOutlivesMakerError, KeyAgainstRulesError; what the policy throws
   * @internal
   */
  async checkUnbounded(caller: Caller, orgId: string): Promise<void> {
    const wanted = { orgId, notBefore: null, expiresAt: null, scopes: null, addressRanges: null };
    this.checkTimes(caller, wanted);
    this.checkReach(caller, wanted);
    const likeAnyKey = { expiresAt: this.clock.now(), scopes: [] };
    const reason = await this.rules.whyNotMade(caller.userId, orgId, likeAnyKey);
    if (reason !== null) throw new KeyAgainstRulesError(reason);
    await this.policy?.check(caller, wanted);
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
   * Checks a key that the rules of the service allow, by those of the organizations that it is for, and by the policy.
   * @throws KeyAgainstRulesError; what the policy throws
   * @internal
   */
  async check(caller: Caller, wanted: WantedKey): Promise<void> {
    const reason = await this.rules.whyNotMade(caller.userId, wanted.orgId, wanted);
    if (reason !== null) throw new KeyAgainstRulesError(reason);
    await this.policy?.check(caller, wanted);
  }
}
