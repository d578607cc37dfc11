import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CredentialVerifiers, type ExternalVerifier, type VerifiedPerson } from 'org-conversation-service';
import { ACME_SETTINGS, type AcmeSettings } from '../settings';

/** Signs the badge of a user, as the company's own sign-in does: `badge.ADDRESS.END.SIGNATURE`. */
export function badgeOf(email: string, expiresAt: Date, secret: string): string {
  const text = `badge.${Buffer.from(email).toString('base64url')}.${expiresAt.getTime()}`;
  return `${text}.${signatureOf(text, secret)}`;
}

/** Lets users in with a badge, signed with `ACME_BADGE_SECRET`, in place of a key. */
@Injectable()
export class BadgeVerifier implements ExternalVerifier {
  readonly name = 'badge';
  private readonly secret: string | undefined;

  constructor(verifiers: CredentialVerifiers, @Inject(ACME_SETTINGS) { ACME_BADGE_SECRET }: AcmeSettings) {
    this.secret = ACME_BADGE_SECRET;
    verifiers.register(this);
  }

  async verify(credential: string): Promise<VerifiedPerson | null> {
    const [kind, address = '', end = '', signature = ''] = credential.split('.');
    if (kind !== 'badge' || this.secret === undefined) return null;
    const expected = Buffer.from(signatureOf(`badge.${address}.${end}`, this.secret));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const expiresAt = new Date(Number(end));
    if (!(expiresAt.getTime() > Date.now())) return null;
    return { email: Buffer.from(address, 'base64url').toString(), expiresAt };
  }
}

function signatureOf(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}
