import { Inject, Injectable } from '@nestjs/common';
import { digestOf, SecretBox } from '../../../kernel/common';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN_START = 'inv-';
const TOKEN_LENGTH = 48;
const FORM = new RegExp(`^${TOKEN_START}[0-9A-Za-z]{${TOKEN_LENGTH}}$`);

/** Path of the page that the links open. */
export const ACCEPT_PATH = 'api/organizations/members/invite/accept';

/** What a token is derived from, and the digest it has to have. */
interface TokenSource {
  readonly id: number;
  readonly generation: number;
  readonly tokenDigest: string;
}

/**
 * The tokens of invitations: derived from id and generation, so that neither the table nor a job contains one
 * (docs/decisions/0020-invitation-tokens-derived.md).
 */
@Injectable()
export class InvitationTokens {
  constructor(
    private readonly box: SecretBox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The token of a new generation, and the digest the table stores. */
  issue(id: number, generation: number): { token: string; digest: string } {
    const token = tokenFrom((part) => this.box.mac(textOf(id, generation, part)));
    return { token, digest: digestOf(token) };
  }

  /**
   * The link of an invitation, including one created under an earlier `SECRET_KEY`.
   * @returns null when that key is no longer known
   */
  linkOf({ id, generation, tokenDigest }: TokenSource): string | null {
    const found = tokensOf(this.box, id, generation).find((token) => digestOf(token) === tokenDigest);
    return found === undefined ? null : this.link(found);
  }

  /** The path that accepts a token. */
  link(token: string): string {
    return `${publicUrl(this.settings)}/${ACCEPT_PATH}?token=${token}`;
  }
}

/** @returns the id of the key that the token of an invitation derives from, or null when it is no longer known */
export function tokenKeyOf(box: SecretBox, { id, generation, tokenDigest }: TokenSource): string | null {
  const place = tokensOf(box, id, generation).findIndex((token) => digestOf(token) === tokenDigest);
  return box.keyIds[place] ?? null;
}

/** The token as each key gives it, in the order of the keys. */
function tokensOf(box: SecretBox, id: number, generation: number): string[] {
  const [first, second] = [0, 1].map((part) => box.macs(textOf(id, generation, part)));
  return (first ?? []).map((head, i) => tokenFrom((part) => (part === 0 ? head : (second?.[i] ?? head))));
}

/** @returns the digest to look a token up by, or null for a text that cannot be one */
export function digestOfToken(token: string): string | null {
  return FORM.test(token) ? digestOf(token) : null;
}

function textOf(id: number, generation: number, part: number): string {
  return `invitation:${id}:${generation}:${part}`;
}

/** 48 base-62 digits are more than one HMAC has, so two of them are read as one number. */
function tokenFrom(mac: (part: number) => Buffer): string {
  let rest = BigInt(`0x${mac(0).toString('hex')}${mac(1).toString('hex')}`);
  let digits = '';
  while (digits.length < TOKEN_LENGTH) {
    digits += ALPHABET.charAt(Number(rest % 62n));
    rest /= 62n;
  }
  return TOKEN_START + digits;
}
