import { Injectable } from '@nestjs/common';
import { StartError } from '../../common';

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
  /** @returns null for what it does not know, and for what does not work now; asked at most every 300 ms for one */
  verify(credential: string): Promise<VerifiedPerson | null>;
}

/** The verifiers of extensions, which register them in the constructor of a provider (docs/extending.md). */
@Injectable()
export class CredentialVerifiers {
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

  /** Asks one verifier after another. @returns the first answer, with the name of whose it is */
  async verify(credential: string): Promise<(VerifiedPerson & { readonly verifier: string }) | null> {
    for (const verifier of this.verifiers) {
      const person = await verifier.verify(credential);
      if (person !== null) return { ...person, verifier: verifier.name };
    }
    return null;
  }
}
