import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
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

/** An answer of a provider that is of use. */
export interface ProviderAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Most seconds that a caller is asked to wait: providers' limits renew within an hour. */
const MAX_RETRY_SECONDS = 3_600;
const RETRY_SECONDS = 5;

/**
 * Tells what a status means for a search.
 * @returns whether there is an answer to read; false for what does not exist
 * @throws GitCredentialRefusedError, GitProviderUnavailableError, GitProviderFailedError
 */
export function isFound(status: number, headers: IncomingHttpHeaders): boolean {
  if (status === 404) return false;
  if (status === 429 || status >= 500 || (status === 403 && isLimited(headers)))
    throw new GitProviderUnavailableError(retrySeconds(headers));
  // Azure DevOps answers a failed sign-in with a 203 and a sign-in page.
  if (status === 401 || status === 403 || status === 203) throw new GitCredentialRefusedError();
  if (status !== 200) throw new GitProviderFailedError(`it answers with status ${status}`);
  return true;
}

/**
 * Reads the body of an answer.
 * @throws GitProviderFailedError when it is not of this shape
 */
export function read<T>(shape: z.ZodType<T>, { body }: ProviderAnswer): T {
  const found = shape.safeParse(body);
  if (!found.success) throw new GitProviderFailedError('its answer is not of its API');
  return found.data;
}

/** The page that the `Link` header of an answer says comes next; null on the last one. */
export function nextPage({ headers }: ProviderAnswer): string | null {
  const [, address] = /<([^<>]*)>\s*;[^<]*\brel="?next\b/.exec([headers['link'] ?? []].flat().join()) ?? [];
  if (address === undefined) return null;
  const page = URL.canParse(address, 'https://host') ? new URL(address, 'https://host').searchParams : null;
  return page?.get('page') ?? null;
}

/** GitHub says with 403 that there were too many calls. */
function isLimited(headers: IncomingHttpHeaders): boolean {
  return headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
}

function retrySeconds(headers: IncomingHttpHeaders): number {
  const said = Number(headers['retry-after'] ?? Number.NaN);
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN) - Date.now() / 1000;
  const seconds = [said, reset].find((number) => number > 0) ?? RETRY_SECONDS;
  return Math.min(Math.ceil(seconds), MAX_RETRY_SECONDS);
}
