import { Injectable, Logger } from '@nestjs/common';
import { StartError } from '../../common';
import { CredentialVerifierUnavailableError } from '../identity/auth.errors';

/** What a verifier may take for one credential: requests wait for it before anything else. */
const ANSWERS_WITHIN_MS = 5_000;

/** Whom a credential that is not a key of the service stands for. */
export interface VerifiedPerson {
  /** The address of a user of the service. */
  readonly email: string;
  /** When the credential ends; null for never. */
  readonly expiresAt: Date | null;
}

/** Recognizes credentials that are not keys of the service, such as tokens of a company's own sign-in. */
export interface ExternalVerifier {
  /** Of the key that stands for such credentials in a user's list of keys. */
  readonly name: string;
  /**
   * Asked at most every 300 ms for one credential.
   * @param signal aborted after five seconds: nobody waits for the answer any more
   * @returns null for what it does not know, and for what does not work now
   */
  verify(credential: string, signal: AbortSignal): Promise<VerifiedPerson | null>;
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

  /** Whether no extension has registered one. */
  get isEmpty(): boolean {
    return this.verifiers.length === 0;
  }

  /**
   * Asks one verifier after another.
   * @returns the first answer, with the name of whose it is
   * @throws CredentialVerifierUnavailableError for one that does not answer in time; or what one throws
   */
  async verify(credential: string): Promise<(VerifiedPerson & { readonly verifier: string }) | null> {
    for (const verifier of this.verifiers) {
      const person = await this.ask(verifier, credential);
      if (person !== null) return { ...person, verifier: verifier.name };
    }
    return null;
  }

  /** What one that has taken too long says later is heard by nobody, a failure included. */
  private async ask(verifier: ExternalVerifier, credential: string): Promise<VerifiedPerson | null> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), ANSWERS_WITHIN_MS);
    const tooLate = new Promise<never>((_, reject) => {
      limit.signal.addEventListener('abort', () => {
        this.logger.warn({ verifier: verifier.name }, 'A credential verifier did not answer in time');
        reject(new CredentialVerifierUnavailableError());
      });
    });
    try {
      return await Promise.race([verifier.verify(credential, limit.signal), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}
