import { AppError, appError } from '../../kernel/common';

/** 400: the key would expire at once (docs/contract.md#api-keys). */
export const KeyExpiryInvalidError = appError(
  400,
  'key_expiry_invalid',
  'expires_at must lie in the future and after not_before, or the key would never work.',
);

/** 403: a key cannot create one that outlives it (docs/contract.md#api-keys). */
export const KeyOutlivesMakerError = appError(
  403,
  'key_outlives_maker',
  'A key cannot make one that works longer than itself.',
);

/** 400: a scope that is no permission (docs/contract.md#keys-that-can-do-less). */
export class KeyScopeUnknownError extends AppError {
  constructor(name: string) {
    super(400, 'key_scope_unknown', `There is no permission ${JSON.stringify(name)}.`);
  }
}

/** 403: a key cannot make one that can do more, or counts at more addresses (docs/contract.md#keys-that-can-do-less). */
export const KeyExceedsMakerError = appError(
  403,
  'key_exceeds_maker',
  'A key cannot make one with scopes or from addresses that it does not have itself.',
);

/** 404: the caller has no such key, or their own key does not cover its organization. */
export const KeyNotFoundError = appError(404, 'key_not_found', 'You have no key with this id.');

/** 403: an organization of the user has rules by which the key may not be made (docs/contract.md#rules-for-keys). */
export class KeyAgainstRulesError extends AppError {
  constructor(reason: string) {
    super(403, 'key_against_rules', reason);
  }
}

/** 409: a key that cannot be replaced by another (docs/contract.md#rotating-a-key). */
export const KeyNotRotatableError = appError(
  409,
  'key_not_rotatable',
  'This key cannot be rotated: it has expired or does not work yet, was rotated already, stands for a sign-in, or is another service’s.',
);

/** 404: the caller has no such session, or their own key does not cover its organization. */
export const BrowserSessionNotFoundError = appError(
  404,
  'session_not_found',
  'You have no session with this id.',
);

/** 409: the limit of keys per user is reached. */
export class TooManyKeysError extends AppError {
  constructor(limit: number) {
    super(409, 'too_many_keys', `You have ${limit} keys, which is the most there may be; revoke one first.`);
  }
}

/** 404: no such member for whom another service could get a key (docs/contract.md#keys-for-other-services). */
export const NoSuchMemberError = appError(
  404,
  'no_such_member',
  'There is no such member of such an organization.',
);

/** 429: another service has as many keys for a member as it may. */
export class TooManyServiceKeysError extends AppError {
  /** @param waitSeconds until the first of them expires */
  constructor(limit: number, waitSeconds: number) {
    super(
      429,
      'too_many_service_keys',
      `There are ${limit} keys of other services for this member, which is the most there may be; they expire after a day.`,
      { 'Retry-After': String(waitSeconds) },
    );
  }
}
