import { appError } from '../../kernel/common';
import { MAX_HOLDS } from './limits';

/** 409: what would be deleted is under a legal hold (docs/personal-data.md#legal-holds). */
export const LegalHoldError = appError(
  409,
  'legal_hold',
  'This is under a legal hold: nothing of it is deleted before the hold is lifted.',
);

/** 404: the organization has no such hold. */
export const LegalHoldNotFoundError = appError(
  404,
  'legal_hold_not_found',
  'The organization has no such legal hold.',
);

/** 404: the organization has no such conversation, or never had such a member. */
export const HeldNotFoundError = appError(
  404,
  'held_not_found',
  'The organization has no such conversation, and no such member or creator of conversations.',
);

/** 409: it is being erased already. */
export const HeldIsErasedError = appError(
  409,
  'erasure_under_way',
  'What there is of this person is being erased: it cannot be held any more.',
);

/** 409: the hold was lifted before. */
export const LegalHoldLiftedError = appError(409, 'legal_hold_lifted', 'The legal hold was lifted before.');

/** 409: as many as there may be. */
export const TooManyLegalHoldsError = appError(
  409,
  'too_many_legal_holds',
  `The organization has had ${MAX_HOLDS} legal holds, which is the most there may be.`,
);
