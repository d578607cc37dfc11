import { AppError, appError } from '../../../kernel/common';

/** 403: the address of a new person is one that the provider does not call verified. */
export const AddressNotVerifiedError = appError(
  403,
  'provider_email_not_verified',
  'Your provider does not say that your mail address is verified, without which nobody is let in for the first time.',
);

/** 403: the address is of a domain that the provider does not speak for. */
export const DomainNotVerifiedError = appError(
  403,
  'email_domain_not_verified',
  'Your mail address is of a domain for which this provider lets nobody in.',
);

/** 403: nothing lets the person in: no account, no role by their groups, no default role. */
export const NotProvisionedError = appError(
  403,
  'not_provisioned',
  'Your provider knows you, and nothing here lets you in: ask who looks after it for a role.',
);

/** 403: the account is disabled. */
export const AccountDisabledError = appError(403, 'account_disabled', 'Your account here is disabled.');

/** 403: the account was made by an invitation to another organization, and its address was never verified. */
export const AccountUnverifiedError = appError(
  403,
  'account_unverified',
  'The account with your mail address works in another organization only, since nobody verified the address: accept its invitation with the mailed code first.',
);

/** 409: the account is somebody else's whom the provider knows. */
export const OtherIdentityError = appError(
  409,
  'other_identity',
  'The account with your mail address belongs to another identity of this provider.',
);

/** 429: as many people have come into the organization for the first time as may in an hour. */
export class TooManyNewPeopleError extends AppError {
  constructor(waitSeconds: number) {
    super(
      429,
      'too_many_new_people',
      `As many new people have come into the organization as may in an hour; try again in ${Math.ceil(waitSeconds / 60)} minutes.`,
      { 'Retry-After': String(waitSeconds) },
    );
  }
}

/** 403: tokens of the subject act for a service account, which signs in nowhere. */
export const OfServiceAccountError = appError(
  403,
  'identity_of_service_account',
  'Your provider knows you as who acts for a service account here, which signs in nowhere.',
);

/** 409: the subject is somebody else's. */
export const IdentityTakenError = appError(
  409,
  'identity_taken',
  'The provider knows a person, or another service account, by this subject.',
);
