import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_START = 'ocs_';
/** With which tokens of directories begin (docs/scim.md#tokens). */
const DIRECTORY_START = 'ocs_scim_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^(?:${KEY_START}|${DIRECTORY_START})[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`,
);
const SHOWN_LENGTH = 6;

/** A new random key with its checksum (docs/contract.md#key-format). */
export function newKey(): string {
  return newText(KEY_START);
}

/** A new random token of a directory, which is no key. */
export function newDirectoryToken(): string {
  return newText(DIRECTORY_START);
}

function newText(start: string): string {
  const text = start + randomBase62(RANDOM_LENGTH);
  return text + checksumOf(text);
}

/** Whether a text has the form of a key and a correct checksum: others are not looked up. */
export function isWellFormedKey(key: string): boolean {
  return isWellFormed(key) && !isDirectoryToken(key);
}

/** As {@link isWellFormedKey}, of tokens of directories. */
export function isWellFormedDirectoryToken(token: string): boolean {
  return isWellFormed(token) && isDirectoryToken(token);
}

/** Whether a text begins as tokens of directories do: whatever else it is, it is no key, and is shown to nobody else. */
export function isDirectoryToken(text: string): boolean {
  return text.startsWith(DIRECTORY_START);
}

function isWellFormed(text: string): boolean {
  return FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/**
 * The first characters of a key or token: enough to recognize it, too few to guess it. None of what nobody can send as one.
 */
export function displayPrefix(key: string): string {
  if (!isWellFormed(key)) return '';
  const start = isDirectoryToken(key) ? DIRECTORY_START : KEY_START;
  return key.slice(0, start.length + SHOWN_LENGTH);
}

/** Whether a prefix is that of a key, and not of what stands for a sign-in or for a credential of an extension. */
export function isKeyPrefix(prefix: string): boolean {
  return prefix.startsWith(KEY_START);
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length))
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
  return text;
}
