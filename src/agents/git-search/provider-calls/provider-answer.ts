import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import {
  GitCredentialRefusedError,
  GitProviderFailedError,
  GitProviderUnavailableError,
} from './git-search.errors';

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
  // Azure DevOps shows a page to sign in, with 203, to who is not.
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
