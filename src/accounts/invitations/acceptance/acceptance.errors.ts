import { AppError, appError } from '../../../kernel/common';

/** 409: the invited address has an account, so that its key is needed. */
export const AccountExistsError = appError(
  409,
  'account_exists',
  'There is an account for this address already. Accept the invitation with a key of that account.',
);

/** 400: the code is not the one that was emailed. */
export class WrongCodeError extends AppError {
  constructor(triesLeft: number) {
    const rest = triesLeft === 1 ? '1 try is' : `${triesLeft} tries are`;
    super(400, 'code_wrong', `This is not the code that was mailed. ${rest} left.`);
  }
}

/** 400: no code can be entered any more. */
export const CodeVoidError = appError(
  400,
  'code_void',
  'The code can no longer be used. Have a new one sent.',
);

/** 429: too many codes were emailed to the address. */
export class CodeLimitError extends AppError {
  constructor(retryAfterSeconds: number) {
    super(429, 'code_limit_reached', 'Too many codes were sent to this address. Try again tomorrow.', {
      'Retry-After': String(retryAfterSeconds),
    });
  }
}
