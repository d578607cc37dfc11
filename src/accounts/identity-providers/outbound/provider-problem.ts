import { ServiceUnavailableError } from '../../../kernel/common';

/** 503: a provider of identities cannot be asked, or its answers are not what the protocol says. */
export class ProviderProblem extends ServiceUnavailableError {
  /** @param reason the end of a sentence for people, without anything that the provider sent */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(
      `The provider of identities cannot be used: ${reason}.`,
      'identity_provider_unavailable',
      5,
      options,
    );
  }
}
