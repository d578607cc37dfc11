import { AppError } from '../common';

/** 400: the key would never work (docs/contract.md#api-keys). */
export class KeyExpiryInvalidError extends AppError {
  constructor() {
    super(
      400,
      'key_expiry_invalid',
      'expires_at must lie in the future and after not_before, or the key would never work.',
    );
  }
}

/** 403: no key creates one that outlives it (docs/contract.md#api-keys). */
export class KeyOutlivesMakerError extends AppError {
  constructor() {
    super(403, 'key_outlives_maker', 'A key cannot make one that works longer than itself.');
  }
}

/** 404: no such key of the caller, or one of an organization that their own key does not reach. */
export class KeyNotFoundError extends AppError {
  constructor() {
    super(404, 'key_not_found', 'You have no key with this id.');
  }
}

/** 404: no such session of the caller, or one of a key that their own key does not reach. */
export class BrowserSessionNotFoundError extends AppError {
  constructor() {
    super(404, 'session_not_found', 'You have no session with this id.');
  }
}

/** 409: a user may not pile up keys without end. */
export class TooManyKeysError extends AppError {
  constructor(limit: number) {
    super(409, 'too_many_keys', `You have ${limit} keys, which is the most there may be; revoke one first.`);
  }
}
