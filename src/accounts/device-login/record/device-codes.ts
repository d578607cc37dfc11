import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { digestOf, SecretBox } from '../../../kernel/common';

/** Without vowels there are no words in codes, and nothing that is taken for a digit (RFC 8628, section 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE = new RegExp(`^[${ALPHABET}]{8}$`);

/** A new code for people: eight letters. */
export function newUserCode(): string {
  return Array.from({ length: 8 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** A code as people see it: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The code that somebody typed, in whatever case and with whatever between its letters; null for what is none. */
export function userCodeIn(text: string): string | null {
  const letters = text
    .slice(0, 100)
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return USER_CODE.test(letters) ? letters : null;
}

/** A new code for a device: 256 bits. */
export function newDeviceCode(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database has of a device's code. */
export function digestOfDeviceCode(code: string): string {
  return digestOf(code);
}

/** What the database has of codes for people: a plain digest of eight letters could be reversed. */
@Injectable()
export class DeviceCodes {
  constructor(private readonly box: SecretBox) {}

  /**
   * What the database may have of a code, as {@link newUserCode} made it: first what it has of a new one, then that of keys which
   * `SECRET_KEYS_OLD` lists.
   */
  digestsOfUserCode(code: string): [string, ...string[]] {
    const [first = '', ...old] = this.box
      .macs(`device-user-code:${code}`)
      .map((digest) => digest.toString('hex'));
    return [first, ...old];
  }
}
