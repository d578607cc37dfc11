import { jsonBytes, plainHttpUrl, storableText, unlessHidden } from '../../../kernel/common';
import { string } from '../../../kernel/validation';
import { MAX_BASE_URL, MAX_MODEL, MAX_MODEL_KEY, MAX_OPTION, MAX_OPTIONS_OBJECT_BYTES } from './model-limits';

const PRINTABLE = /^[\x21-\x7e]*$/;
const IN_A_HEADER = /^[\x20-\x7e]*$/;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Headers that say how a connection is used, or whose it is: not for who sets a model to say. */
const OF_CONNECTIONS =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/i;
const REGION = /^[a-z0-9-]*$/;

/** A model's name. */
export const modelName = (options: { readonly minLength?: number } = {}) =>
  string({ trim: true, maxLength: MAX_MODEL, ...options });

/** The base URL of a model's API; empty for none. */
export const baseUrl = () => string({ trim: true, maxLength: MAX_BASE_URL, rule: baseUrlProblem });

/** An API key for a model; empty for none. */
export const modelKey = () => string({ trim: true, maxLength: MAX_MODEL_KEY, rule: keyProblem });

/** What becomes a part of a host's name. */
export const regionName = () =>
  string({
    trim: true,
    maxLength: MAX_OPTION,
    rule: (text) => (REGION.test(text) ? null : 'a region has letters, digits and hyphens'),
  });

/** What becomes the value of a header. */
export const plainText = () => string({ trim: true, maxLength: MAX_BASE_URL, rule: headerProblem });

/** Whether a header steers the connection that it is sent by. */
export function isOfConnection(header: string): boolean {
  return OF_CONNECTIONS.test(header);
}

/** @returns what is wrong with the headers of calls to a model, or null */
export function headersProblem(headers: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(headers);
  if (!names.every((name) => HEADER_NAME.test(name))) return 'the name of a header is no token';
  if (names.some(isOfConnection)) return 'a header steers the connection';
  for (const value of Object.values(headers)) {
    const problem = typeof value === 'string' ? headerProblem(value) : null;
    if (problem !== null) return problem;
  }
  return sizeProblem(headers);
}

/** @returns what is wrong with what a model is said to be able to do, or null */
export function overridesProblem(overrides: Readonly<Record<string, unknown>>): string | null {
  const isPlain = Object.values(overrides).every((value) => ['string', 'boolean'].includes(typeof value));
  return isPlain ? sizeProblem(overrides) : 'a capability is true, false or a text';
}

/** @returns that an object of a model is too large, or null */
export function sizeProblem(added: Readonly<Record<string, unknown>>): string | null {
  const isShort = jsonBytes(added) <= MAX_OPTIONS_OBJECT_BYTES;
  return isShort ? null : `it has at most ${MAX_OPTIONS_OBJECT_BYTES / 1024} KiB of JSON`;
}

function headerProblem(text: string): string | null {
  return IN_A_HEADER.test(text) ? null : 'a header has printable ASCII characters only';
}

function baseUrlProblem(text: string): string | null {
  if (text === '') return null;
  const isPlain = plainHttpUrl(storableText(text)) !== null;
  return isPlain ? null : 'the address must be of http or https, without a user, password, query or fragment';
}

function keyProblem(text: string): string | null {
  return PRINTABLE.test(text) ? null : 'a key has printable ASCII characters only';
}

/** Null for an absent, null or empty value. */
export function filled(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/**
 * The key after a change of the base URL: a key is only ever sent to the host it was given for.
 * @param given undefined if the request does not mention the key; the sign for a hidden one is no mention
 * @param stays whether calls go where they went
 */
export function keyAfter(
  given: string | null | undefined,
  before: string | null,
  stays: boolean,
): string | null {
  const named = unlessHidden(given);
  if (named !== undefined) return filled(named);
  return stays ? before : null;
}

/** Scheme, host and port of an address. */
export function originOf(address: string | null | undefined): string | null {
  return address === null || address === undefined ? null : new URL(address).origin;
}
