import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UnauthenticatedError } from '../../../kernel/auth';
import { newId, storableText } from '../../../kernel/common';
import { lockForTransaction } from '../../../kernel/database';
import { FailedCredentials } from '../../../kernel/http';
import { LinkSignIn } from '../links/link-sign-in';
import { ProofMails, ProofSecrets } from '../proofs/proof-mails';
import { NoAddressError, SignInMailLimitError } from '../proofs/sign-in.errors';
import { SignInProof } from '../proofs/sign-in-proof.entity';
import { countTry, waitBeforeAsking } from '../proofs/sign-in-proofs.query';

const MAX_TRIES = 5;
/** Each lets somebody guess five codes. */
const LIMITS = { perHour: 5, perDay: 10 };
const MAX_ADDRESS = 320;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * Sign-in by a mailed link or code (docs/contract.md#sign-in-by-mail). The response is the same, and
 * equally fast, for an address that nobody has: it gets a proof, too, which is never mailed.
 */
@Injectable()
export class MailSignIn {
  constructor(
    @InjectRepository(SignInProof) private readonly proofs: Repository<SignInProof>,
    private readonly secrets: ProofSecrets,
    private readonly mails: ProofMails,
    private readonly links: LinkSignIn,
    private readonly failed: FailedCredentials,
  ) {}

  /**
   * Mails a link and a code; earlier codes stop working.
   * @throws NoAddressError, SignInMailLimitError, TooManyFailedCredentialsError
   */
  async ask(request: IncomingMessage, text: string): Promise<void> {
    const email = addressIn(text);
    this.failed.count(request);
    const id = newId();
    await this.proofs.manager.transaction(async (transaction) => {
      await lockForTransaction(transaction, `sign-in-mail:${email}`);
      const wait = await waitBeforeAsking(transaction, email, LIMITS);
      if (wait !== null) throw new SignInMailLimitError(wait);
      await transaction.withRepository(this.proofs).insert({
        id,
        email,
        tokenDigest: this.secrets.tokenDigestOf(id),
        codeDigest: this.secrets.codeDigestOf(id, this.secrets.codeOf(id)).toString('hex'),
        createdAt: () => 'clock_timestamp()',
        expiresAt: () => `clock_timestamp() + interval '10 minutes'`,
      });
      await this.mails.queue(transaction, id);
    });
  }

  /**
   * Signs in with the code that was mailed last. Every try is counted before the code is compared, so that concurrent calls
   * get no more tries than consecutive ones.
   * @returns the cookie
   * @throws UnauthenticatedError, TooManyFailedCredentialsError
   */
  enter(request: IncomingMessage, text: string, code: string): Promise<string> {
    const email = addressIn(text);
    return this.failed.watch(request, `code ${email} ${code}`, async () => {
      const proof = await countTry(this.proofs.manager, email, MAX_TRIES);
      if (proof === null || proof.code_digest === null) throw new UnauthenticatedError();
      const given = this.secrets.codeDigestOf(proof.id, code.replace(/\s/g, ''));
      if (!timingSafeEqual(given, Buffer.from(proof.code_digest, 'hex'))) throw new UnauthenticatedError();
      return this.links.redeem(request, proof.id);
    });
  }
}

/** @throws NoAddressError */
function addressIn(text: string): string {
  const address = storableText(text.trim()).toLowerCase();
  if (address.length > MAX_ADDRESS || !ADDRESS.test(address)) throw new NoAddressError();
  return address;
}
