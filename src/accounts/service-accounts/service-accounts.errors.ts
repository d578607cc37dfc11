import { AppError, appError } from '../../kernel/common';

/** 404: the organization has no such service account. */
export const ServiceAccountNotFoundError = appError(
  404,
  'service_account_not_found',
  'This organization has no such service account.',
);

/** 409: the limit of service accounts per organization is reached. */
export class TooManyServiceAccountsError extends AppError {
  constructor(limit: number) {
    super(
      409,
      'too_many_service_accounts',
      `The organization has ${limit} service accounts, which is the most there may be; delete one first.`,
    );
  }
}

/** 404: the service account has no such key. */
export const ServiceAccountKeyNotFoundError = appError(
  404,
  'service_account_key_not_found',
  'This service account has no key with this id.',
);

/** 404: no subject of a provider is bound to the service account. */
export const ServiceAccountIdentityNotFoundError = appError(
  404,
  'service_account_identity_not_found',
  'No subject of a provider acts for this service account.',
);

/** 400: a service account is no owner. */
export const RoleNotForServiceAccountError = appError(
  400,
  'role_not_for_service_account',
  "A service account is no owner: its role is member or admin, or one of the organization's own.",
);

/** 409: the limit of keys per service account is reached. */
export class TooManyServiceAccountKeysError extends AppError {
  constructor(limit: number) {
    super(
      409,
      'too_many_service_account_keys',
      `The service account has ${limit} keys, which is the most there may be; revoke one first.`,
    );
  }
}
