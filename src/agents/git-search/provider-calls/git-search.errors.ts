import { AppError, ServiceUnavailableError, appError } from '../../../kernel/common';

/** 409: the provider refuses the credential: it is wrong, ended, or may not do this (docs/contract.md#git-searches). */
export const GitCredentialRefusedError = appError(
  409,
  'git_credential_refused',
  'The provider refuses the git credential; keep one that may list repositories and branches.',
);

/** 409: the host of the credential may not be called. */
export class GitHostRefusedError extends AppError {
  /** @param reason what is wrong with the host, without an address */
  constructor(reason: string, options?: ErrorOptions) {
    super(409, 'git_host_refused', `The host of the git credential is not called: ${reason}.`, {}, options);
  }
}

/** 404: the provider knows no such repository, or does not show it to the credential. */
export const GitRepositoryNotFoundError = appError(
  404,
  'git_repository_not_found',
  'The provider has no such repository for the git credential.',
);

/** 429: as many searches run as may run at once, of this user, this organization or in all. */
export const TooManyGitSearchesError = appError(
  429,
  'too_many_git_searches',
  'Too many git searches are running; try again in a moment.',
  {
    'Retry-After': '1',
  },
);

/** 503: the provider does not answer in time, has failed, or wants fewer calls. */
export class GitProviderUnavailableError extends ServiceUnavailableError {
  constructor(retryAfterSeconds = 5, options?: ErrorOptions) {
    super(
      'The git provider does not answer now; try again later.',
      'git_provider_unavailable',
      retryAfterSeconds,
      options,
    );
  }
}

/** 503: what the provider answers is not its API. */
export class GitProviderFailedError extends ServiceUnavailableError {
  /** @param reason for people: what is wrong with the answer, without anything of it */
  constructor(reason: string, options?: ErrorOptions) {
    super(`The git provider cannot be searched: ${reason}.`, 'git_provider_failed', 30, options);
  }
}
