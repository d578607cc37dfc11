/**
 * Why a registration could not be previewed, as a sentence for the caller
 * (docs/contract.md#marketplace-preview). It never contains an address, a credential or what a foreign server
 * said.
 */
export class RegistrationProblem extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = new.target.name;
  }
}
