import type { Type } from '@nestjs/common';
import type { Caller } from '../auth';

/** Metadata key of {@link IdempotencyRules}. */
export const IDEMPOTENCY = 'ocs:idempotency';

/** Longest `Idempotency-Key`. */
export const MAX_KEY_LENGTH = 255;

/** Decides, for a route whose path names a resource, whether the caller may reach it, and which one it is. */
export abstract class IdempotencyScope {
  /**
   * @param params the checked values of the path
   * @returns the resource's id, the same for all its spellings; behind it those that it had before it was made
   * @throws AppError as the operation itself does
   */
  abstract resourceOf(
    caller: Caller,
    params: Readonly<Record<string, string>>,
  ): Promise<readonly [id: string, ...earlier: string[]]>;
}

export interface IdempotencyRules {
  /** Needed where the route itself does not check an organization. */
  readonly scope?: Type<IdempotencyScope>;
  /** Secrets in the response: they are not stored, and are null in a replay. */
  readonly hides?: readonly string[];
}
