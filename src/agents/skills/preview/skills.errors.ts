import { AppError } from '../../../kernel/common';

/**
 * 429: as many previews run as may run at once, for this organization or in all
 * (docs/contract.md#marketplace-preview).
 */
export class TooManyPreviewsError extends AppError {
  constructor(retryAfterSeconds: number) {
    super(
      429,
      'too_many_previews',
      'Too many marketplace previews are running; try again when some of them are done.',
      { 'Retry-After': String(retryAfterSeconds) },
    );
  }
}
