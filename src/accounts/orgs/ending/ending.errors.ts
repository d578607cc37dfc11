import { appError } from '../../../kernel/common';

/** 400: the confirmation is not the name of the organization. */
export const NotConfirmedError = appError(
  400,
  'confirmation_mismatch',
  'The confirmation is not the name of this organization.',
);

/** 409: something of the organization is held, and may not be deleted. */
export const OrganizationHeldError = appError(
  409,
  'legal_hold',
  'Something of this organization is under a legal hold: lift it first.',
);

/** 409: the organization is being deleted already. */
export const OrganizationEndingError = appError(
  409,
  'organization_ending',
  'This organization is being deleted.',
);
