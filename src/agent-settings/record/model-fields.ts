import { plainHttpUrl, storableText, unlessHidden } from '../../common';
import { MAX_BASE_URL, MAX_MODEL, MAX_MODEL_KEY } from './text-limits';
import { string } from '../../validation';

const PRINTABLE = /^[\x21-\x7e]*$/;

/** A model's name. */
export const modelName = (options: { readonly minLength?: number } = {}) =>
  string({ trim: true, maxLength: MAX_MODEL, ...options });

/** The base URL of a model's API; empty for none. */
export const baseUrl = () => string({ trim: true, maxLength: MAX_BASE_URL, rule: baseUrlProblem });

/** An API key for a model; empty for none. */
export const modelKey = () => string({ trim: true, maxLength: MAX_MODEL_KEY, rule: keyProblem });

function baseUrlProblem(text: string): string | null {
  if (text === '') return null;
  const isPlain = plainHttpUrl(storableText(text)) !== null;
  return isPlain ? null : 'the address must be of http or https, without a user, password, query or fragment';
}

function keyProblem(text: string): string | null {
  return PRINTABLE.test(text) ? null : 'a key has printable ASCII characters only';
}

/** Null for what is absent, null or empty. */
export function filled(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/**
 * The key after a change of the base URL: a key is only ever sent to the host it was given for.
 * @param given undefined if the request does not mention the key; the sign for a hidden one is no mention
 */
export function keyAfter(
  given: string | null | undefined,
  before: { readonly baseUrl: string | null; readonly apiKey: string | null },
  baseUrlNow: string | null,
): string | null {
  const named = unlessHidden(given);
  if (named !== undefined) return filled(named);
  return originOf(baseUrlNow) === originOf(before.baseUrl) ? before.apiKey : null;
}

function originOf(address: string | null): string | null {
  return address === null ? null : new URL(address).origin;
}
