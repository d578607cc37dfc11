import { appError } from '../common';
import { ValidationError } from '../validation';

const LOC = ['header', 'idempotency-key'];

/** 422: the key came before, with another body. */
export class IdempotencyKeyReusedError extends ValidationError {
  constructor(key: string) {
    super([
      {
        type: 'idempotency_key_reused',
        loc: LOC,
        msg: 'This key was used with another request; use a new one for each',
        input: key,
      },
    ]);
  }
}

/** 409: the first request with the key is being worked on. */
export const IdempotencyKeyInUseError = appError(
  409,
  'idempotency_key_in_use',
  'A request with this Idempotency-Key is being worked on; repeat it shortly for its answer.',
  { 'Retry-After': '1' },
);

/** 409: the first request with the key may have had its effect; it is not repeated. */
export const OutcomeUnknownError = appError(
  409,
  'outcome_unknown',
  'It is not known whether the request with this Idempotency-Key had its effect; look, and use a new key to try again.',
);
