import { plainHttpUrl } from '../common';

/* Limits of git credentials (docs/contract.md#git-credentials). */

export const MAX_CREDENTIALS = 50;
export const MAX_URL_PREFIX = 2_048;
export const MAX_USERNAME = 255;
export const MAX_PASSWORD = 4_096;
/** Encrypted size of a password of maximum length. */
export const MAX_SEALED_BYTES = 8 * 1024;

/** @returns what is wrong with a URL prefix, or null */
export function prefixProblem(text: string): string | null {
  const url = plainHttpUrl(text);
  if (url === null)
    return 'the address must be of http or https, without a user, password, query or fragment';
  return url.href.length <= MAX_URL_PREFIX
    ? null
    : `the address must have at most ${MAX_URL_PREFIX} characters, with all that has to be escaped`;
}

/** @returns what is wrong with a user name or password, or null; git reads both line by line */
export function lineProblem(text: string): string | null {
  return /^[\x21-\x7e]+$/.test(text) ? null : 'it has printable ASCII characters only';
}
