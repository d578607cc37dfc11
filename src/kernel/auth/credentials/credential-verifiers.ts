import { Injectable, Logger } from '@nestjs/common';
import { StartError, storableText } from '../../common';
import { CredentialVerifierUnavailableError } from '../identity/auth.errors';
import type { Role } from '../identity/permissions';
import type { RequestHeaders } from '../identity/ports';

/** The time-out of a verifier for one credential: requests wait for it before anything else. */
const ANSWERS_WITHIN_MS = 5_000;

/** Whom a credential that is not a key of the service stands for. */
export interface VerifiedPerson {
  /** The address of a user of the service, in any case. */
  readonly email: string;
  /** When the credential ends; null for never. */
  readonly expiresAt: Date | null;
  /** The only organization in which the credential counts, which the user has to be a member of. Default: all of theirs. */
  readonly orgId?: string;
  /** With `orgId`: the user's role there, which becomes that of the member. Default: the one that they have. */
  readonly role?: Role;
}

/** Recognizes credentials that are not keys of the service, such as tokens of a company's own sign-in. */
export interface ExternalVerifier {
  /** Of the key that stands for such credentials in a user's list of keys. */
  readonly name: string;
  /**
   * Asked at most every 300 ms for one credential with the same headers.
   * @param signal aborted when nobody waits for the answer any more: another verifier knew it, or five seconds have passed
   * @param headers all those of the request, in one of which the credential came
   * @returns null for what it does not know, and for what does not work now
   */
  verify(credential: string, signal: AbortSignal, headers: RequestHeaders): Promise<VerifiedPerson | null>;
}

/** What the verifier of a name answered. */
export interface VerifierAnswer extends VerifiedPerson {
  readonly verifier: string;
}

/** The verifiers of extensions, which register them in the constructor of a provider (docs/extending.md). */
@Injectable()
export class CredentialVerifiers {
  private readonly logger = new Logger(CredentialVerifiers.name);
  private readonly verifiers: ExternalVerifier[] = [];

  /** @throws StartError when there is one of this name */
  register(verifier: ExternalVerifier): void {
    if (this.verifiers.some(({ name }) => name === verifier.name))
      throw new StartError(`There are two credential verifiers named ${verifier.name}.`);
    this.verifiers.push(verifier);
  }

  /**
   * Whether no extension has registered one.
   * @internal
   */
  get isEmpty(): boolean {
    return this.verifiers.length === 0;
  }

  /**
   * Asks all verifiers at once, so that one that hangs does not delay credentials that another one knows.
   * @returns the first answer, with the name of whose it is and the address in small letters; null where nobody knows it
   * @throws CredentialVerifierUnavailableError when nobody knows it, and one failed or did not answer in time
   * @internal
   */
  async verify(credential: string, headers: RequestHeaders): Promise<VerifierAnswer | null> {
    const answered = new AbortController();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), ANSWERS_WITHIN_MS);
    const asked = { credential, headers: Object.freeze({ ...headers }), limit: limit.signal };
    try {
      const signal = AbortSignal.any([answered.signal, limit.signal]);
      return await firstKnown(this.verifiers.map((verifier) => this.ask(verifier, { ...asked, signal })));
    } finally {
      clearTimeout(timer);
      answered.abort();
    }
  }

  /**
   * An answer after the time limit is ignored, a failure included.
   * @throws CredentialVerifierUnavailableError
   */
  private async ask(
    verifier: ExternalVerifier,
    { credential, headers, limit, signal }: Question,
  ): Promise<VerifierAnswer | null> {
    const tooLate = new Promise<'too late'>((resolve) =>
      limit.addEventListener('abort', () => resolve('too late')),
    );
    const { name } = verifier;
    try {
      const person = await Promise.race([verifier.verify(credential, signal, headers), tooLate]);
      if (person === null) return null;
      if (person !== 'too late')
        return { ...person, email: storableText(person.email).toLowerCase(), verifier: name };
    } catch (error) {
      // One that was aborted has not failed.
      if (!signal.aborted) this.logger.error({ verifier: name, err: error }, 'A credential verifier failed');
    }
    if (limit.aborted) this.logger.warn({ verifier: name }, 'A credential verifier did not answer in time');
    throw new CredentialVerifierUnavailableError();
  }
}

interface Question {
  readonly credential: string;
  readonly headers: RequestHeaders;
  /** Aborted when the time is over. */
  readonly limit: AbortSignal;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** The first answer that is one; else, when all are there, null, or the failure of one. */
async function firstKnown(
  answers: readonly Promise<VerifierAnswer | null>[],
): Promise<VerifierAnswer | null> {
  const known = answers.map(async (answer) => (await answer) ?? Promise.reject(new Error('unknown')));
  try {
    return await Promise.any(known);
  } catch {
    const all = await Promise.all(answers);
    return all.find((answer) => answer !== null) ?? null;
  }
}
