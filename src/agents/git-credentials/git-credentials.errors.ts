import { AppError, appError } from '../../kernel/common';

/** 404: there is no such credential, or it is somebody else's. */
export const GitCredentialNotFoundError = appError(
  404,
  'git_credential_not_found',
  'There is no such credential.',
);

/** 409: there is one for this address already. */
export const GitCredentialExistsError = appError(
  409,
  'git_credential_exists',
  'There is a credential for this address already; delete it first.',
);

/** 409: the limit of credentials per owner is reached. */
export class TooManyGitCredentialsError extends AppError {
  constructor(limit: number) {
    super(409, 'too_many_git_credentials', `There are ${limit} credentials, which is the most there may be.`);
  }
}

/** 400: a password is not sent to another host than the one it was given for. */
export const GitPasswordNeededError = appError(
  400,
  'git_password_needed',
  'At another host a credential needs its password anew: send it along with the address.',
);
