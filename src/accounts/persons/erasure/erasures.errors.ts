import { appError } from '../../../kernel/common';

/** 409: there is an erasure of the person that is not done yet. */
export const ErasureUnderWayError = appError(
  409,
  'erasure_under_way',
  'An erasure of this person was asked for already: GET the same path for how it stands.',
);

/** 409: the person was erased before. */
export const AlreadyErasedError = appError(409, 'already_erased', 'This person was erased before.');

/** 409: nobody erases themselves as a member. */
export const OwnErasureError = appError(
  409,
  'own_erasure',
  'This is you: ask for your own erasure at /api/users/me/erasure.',
);

/** 400: the confirmation is not what it has to be. */
export const ConfirmationError = appError(
  400,
  'confirmation_mismatch',
  'The confirmation has to be the e-mail address of your account.',
);

/** Why an erasure cannot begin, as a preview says it. */
export type Obstacle = 'legal_hold' | 'last_owner';
