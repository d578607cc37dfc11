import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_START = 'ocs_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${KEY_START}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
const PREFIX_LENGTH = KEY_START.length + 6;

/** A new random key with its checksum (docs/contract.md#key-format). */
export function newKey(): string {
  const text = KEY_START + randomBase62(RANDOM_LENGTH);
  return text + checksumOf(text);
}

/** Whether a text has the form of a key and a correct checksum: others are not looked up. */
export function isWellFormedKey(key: string): boolean {
  return FORM.test(key) && checksumOf(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

/** The first characters of a key: enough to recognize it, too few to guess it. */
export function displayPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
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
