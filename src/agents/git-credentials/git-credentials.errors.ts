import { appError } from '../../kernel/common';
import { MAX_CREDENTIALS } from './credential-rules';

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
export const TooManyGitCredentialsError = appError(
  409,
  'too_many_git_credentials',
  `There are ${MAX_CREDENTIALS} credentials, which is the most there may be.`,
);

/** 400: a password is not sent to another host than the one it was given for. */
export const GitPasswordNeededError = appError(
  400,
  'git_password_needed',
  'At another host a credential needs its password anew: send it along with the address.',
);
