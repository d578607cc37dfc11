import { AppError, appError } from '../../../kernel/common';

/** 409: the service has no pages to sign in at. */
export const SignInOffError = appError(
  409,
  'sign_in_off',
  'Nobody signs in here: the pages for it are turned off (WEB_UI=off).',
);

/** 429: too many links were made for one member. */
export class SignInLinkLimitError extends AppError {
  constructor(most: number) {
    super(429, 'sign_in_links_exceeded', `At most ${most} links are made for a member in an hour.`, {
      'Retry-After': '3600',
    });
  }
}

/** 429: too many mails were asked for, whether or not anybody has the address. */
export class SignInMailLimitError extends AppError {
  constructor(retryAfterSeconds: number) {
    super(
      429,
      'sign_in_mails_exceeded',
      'Too many mails were asked for with this address. Try again later, or sign in with a key.',
      { 'Retry-After': String(retryAfterSeconds) },
    );
  }
}

/** 400: what was entered is no e-mail address. */
export const NoAddressError = appError(400, 'address_invalid', 'This is not an e-mail address.');
