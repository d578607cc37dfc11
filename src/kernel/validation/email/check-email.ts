import type { Cursor } from '../errors/cursor';
import { readEmail } from './read-email';

/** Addresses that need no closer look: short, ASCII, with a domain of plain labels. */
const PLAIN =
  /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+(?!arpa$|invalid$|local$|localhost$|onion$|test$)[a-z]{2,}$/;
const SHORT = 64;

/** Checks an `email()`; the value is the text as it was sent (see `emailAddressIn`). */
export function checkEmail(value: unknown, at: Cursor): unknown {
  if (typeof value !== 'string') return at.reject('string_type', 'Input should be a valid string', value);
  if (value.length <= SHORT && PLAIN.test(value)) return value;
  const { error } = readEmail(value);
  if (error === undefined) return value;
  return at.reject('value_error', `value is not a valid email address: ${error}`, value, { reason: error });
}

/**
 * The address in a text that `email()` accepted: without a display name and white space around it, the
 * domain in lower case.
 */
export function emailAddressIn(text: string): string {
  return readEmailAddress(text) ?? text;
}

/** The address in a text, as {@link emailAddressIn}; null for a text that has none. */
export function readEmailAddress(text: string): string | null {
  return readEmail(text).address ?? null;
}
