/* Limits of secrets (docs/contract.md#secrets). */

export const MAX_SECRETS = 200;
export const MAX_SECRET_NAME = 128;
export const MAX_DESCRIPTION = 1_000;
const MAX_VALUE_BYTES = 64 * 1024;
/** Encrypted size of a value of maximum length. */
export const MAX_SEALED_BYTES = 90 * 1024;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** @returns what is wrong with a secret's name, or null; it becomes the name of an environment variable */
export function nameProblem(name: string): string | null {
  return NAME.test(name)
    ? null
    : 'a name has letters, digits and underscores, and does not begin with a digit';
}

/** @returns what is wrong with a secret's value, or null */
export function valueProblem(value: string): string | null {
  if (value === '') return 'a value is not empty';
  if (value.includes('\0') || !value.isWellFormed()) return 'a value is text without NUL';
  return Buffer.byteLength(value) <= MAX_VALUE_BYTES ? null : `a value has at most ${MAX_VALUE_BYTES} bytes`;
}
