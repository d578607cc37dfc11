import { Inject, Injectable } from '@nestjs/common';
import { digestOf, SecretBox } from '../../../kernel/common';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { LINK_PATH } from '../session/sign-in-paths';

const TOKEN = /^[\w-]{43}$/;

/** Tokens and codes of proofs: derived from their ids, so that neither a table nor a job contains one. */
@Injectable()
export class ProofSecrets {
  constructor(
    private readonly box: SecretBox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The link that a proof's person opens. */
  linkOf(id: string): string {
    return `${publicUrl(this.settings)}${LINK_PATH}?token=${this.tokenOf(id)}`;
  }

  /** What the table stores of the token of a proof. */
  tokenDigestOf(id: string): string {
    return digestOf(this.tokenOf(id));
  }

  /** The code of a mailed proof: six digits. */
  codeOf(id: string): string {
    return this.box.sixDigits(`sign-in-code:${id}`);
  }

  /** What the table stores of a code that belongs to a proof, or is said to. */
  codeDigestOf(id: string, code: string): Buffer {
    return this.box.mac(`sign-in-code-check:${id}:${code}`);
  }

  private tokenOf(id: string): string {
    return this.box.mac(`sign-in-token:${id}`).toString('base64url');
  }
}

/** @returns the digest to look a token up by, or null for a text that cannot be one */
export function digestOfToken(token: string): string | null {
  return TOKEN.test(token) ? digestOf(token) : null;
}
