import { AppError, appError, OAuthError, oauthError } from '../../kernel/common';

/** 400: nobody has decided yet; ask again after the interval. */
export const AuthorizationPendingError = oauthError(
  400,
  'authorization_pending',
  'Nobody has approved this login yet.',
);

/** 400: the device asks more often than it was told to. */
export class SlowDownError extends OAuthError {
  /** @param intervalSeconds to be waited from here on */
  constructor(private readonly intervalSeconds: number) {
    super(400, 'slow_down', `Ask every ${intervalSeconds} seconds, and not more often.`);
  }

  override toBody(): Readonly<Record<string, unknown>> {
    return { ...super.toBody(), interval: this.intervalSeconds };
  }
}

/** 400: somebody refused the login of a device, or who approved it may not do so any more. */
export const AccessDeniedError = oauthError(400, 'access_denied', 'This login was refused.');

/** 400: nobody approved the login of a device in time. */
export const ExpiredTokenError = oauthError(400, 'expired_token', 'This login has expired: begin a new one.');

/** 400: the device code is unknown, was used, or is another client's. */
export const InvalidGrantError = oauthError(
  400,
  'invalid_grant',
  'The device code is unknown, was used, or is for another client.',
);

/** 400: a grant of OAuth that is not that of devices. */
export const UnsupportedGrantTypeError = oauthError(
  400,
  'unsupported_grant_type',
  'The only grant_type is urn:ietf:params:oauth:grant-type:device_code.',
);

/** 400: a device asks for permissions that there are not. */
export const InvalidScopeError = oauthError(
  400,
  'invalid_scope',
  'A scope is the name of a permission, and several are separated by spaces; at most 100.',
);

/** 400: a request of OAuth lacks something, or has too much of it. */
export class InvalidRequestError extends OAuthError {
  constructor(detail: string) {
    super(400, 'invalid_request', detail);
  }
}

/** 404: nobody could approve the login of a device here. */
export const DeviceLoginOffError = appError(
  404,
  'device_login_off',
  'Devices cannot log in here: the pages to sign in at are turned off (WEB_UI=off).',
);

/** 429: as many logins of devices wait as may at once, of one address or of all. */
export const TooManyDeviceLoginsError = appError(
  429,
  'device_logins_exceeded',
  'Too many logins wait to be approved; try again in a few minutes.',
  { 'Retry-After': '60' },
);

/** 400: no login that waits has the code that somebody entered. */
export const UserCodeUnknownError = appError(
  400,
  'user_code_unknown',
  'This code does not work: it may be mistyped, used, or older than ten minutes.',
);

/** 429: somebody entered too many wrong codes of devices. */
export class TooManyUserCodesError extends AppError {
  constructor(waitSeconds: number) {
    super(429, 'user_codes_exceeded', `Too many wrong codes were entered; try again in ${waitSeconds} s.`, {
      'Retry-After': String(waitSeconds),
    });
  }
}
