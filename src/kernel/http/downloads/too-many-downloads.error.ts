import { AppError } from '../../common';

const CONVERSATIONS = 'Too many conversations are being downloaded; try again when some of them are done.';

/** 429: as many archives are written as may be at once, for this user, this organization or in all. */
export class TooManyDownloadsError extends AppError {
  constructor(retryAfterSeconds: number, sentence = CONVERSATIONS) {
    super(429, 'too_many_downloads', sentence, { 'Retry-After': String(retryAfterSeconds) });
  }
}
