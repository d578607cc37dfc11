import { hiddenProblem } from '../../kernel/common';
import { GitAddressProblem, readGitAddress } from './addresses/git-address';

/* Limits of git credentials (docs/contract.md#git-credentials). */

export const MAX_CREDENTIALS = 50;
export const MAX_URL_PREFIX = 2_048;
export const MAX_USERNAME = 255;
export const MAX_PASSWORD = 4_096;
/** Encrypted size of a password of maximum length. */
export const MAX_SEALED_BYTES = 8 * 1024;

/** @returns what is wrong with a URL prefix, or null */
export function prefixProblem(text: string): string | null {
  try {
    return prefixIn(text).length <= MAX_URL_PREFIX
      ? null
      : `the address must have at most ${MAX_URL_PREFIX} characters, with all that has to be escaped`;
  } catch (error) {
    if (error instanceof GitAddressProblem) return error.message;
    throw error;
  }
}

/** A URL prefix as it is kept. @throws GitAddressProblem */
export function prefixIn(text: string): string {
  const { url, names } = readGitAddress(text);
  return names.length === 0 ? `${url}/` : url;
}

/** @returns what is wrong with a user name, or null: what Basic authentication cannot carry; it may be empty */
export function userNameProblem(text: string): string | null {
  return text.includes(':') ? 'it must not have a colon' : controlProblem(text);
}

/** @returns what is wrong with a password, or null */
export function passwordProblem(text: string): string | null {
  if (text === '') return 'it must not be empty';
  return Buffer.byteLength(text) > MAX_PASSWORD
    ? `it must have at most ${MAX_PASSWORD} bytes`
    : controlProblem(text);
}

/** @returns what is wrong with a new credential as somebody typed it, as the end of a sentence; or null */
export function credentialProblem(given: {
  readonly url_prefix: string;
  readonly username: string;
  readonly password: string;
}): string | null {
  const problems = [
    ['address', prefixProblem(given.url_prefix)],
    ['user name', lengthProblem(given.username) ?? userNameProblem(given.username)],
    ['password', hiddenProblem(given.password) ?? passwordProblem(given.password)],
  ] as const;
  const [found] = problems.flatMap(([what, problem]) => (problem === null ? [] : [`${what}: ${problem}`]));
  return found ?? null;
}

function lengthProblem(text: string): string | null {
  return text.length > MAX_USERNAME ? `it must have at most ${MAX_USERNAME} characters` : null;
}

function controlProblem(text: string): string | null {
  return /\p{Cc}/u.test(text) ? 'it must not have line breaks or other control characters' : null;
}
