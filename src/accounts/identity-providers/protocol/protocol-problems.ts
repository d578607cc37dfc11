import { AppError } from '../../../kernel/common';
import { ProviderProblem } from '../outbound/provider-problem';

/** 403: the provider sent the browser back without letting anybody in. */
export class RefusedByProviderError extends AppError {
  /** @param code of OAuth, as the provider sent it */
  constructor(code: string) {
    const word = /^[a-z_]{1,40}$/.test(code) ? code : 'an error';
    super(403, 'refused_by_provider', `Your provider did not sign you in, and says: ${word}.`);
  }
}

/** By the codes of errors of `openid-client` and `oauth4webapi`: what is wrong with a provider or its answer. */
const REASONS: Readonly<Record<string, string>> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM:
    'it answers with a status that the protocol does not have; redirects are not followed',
  OAUTH_RESPONSE_IS_NOT_JSON: 'it answers with something else than JSON',
  OAUTH_PARSE_ERROR: 'it answers with something else than JSON',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED:
    'its discovery document names another issuer than the one that was entered',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'its token is not for this sign-in, this service, or of this issuer',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'its token has expired, or one of the clocks is wrong',
  OAUTH_KEY_SELECTION_FAILED: 'its token is not signed with a key of it',
  OAUTH_RESPONSE_BODY_ERROR: 'it refuses the code, or the client id and secret that were entered',
  OAUTH_TIMEOUT: 'it does not answer in time',
};

/**
 * What an error of the libraries means; our own ones may be below several others.
 * @param otherwise what is said of one that is not known
 */
export function problemOfError(
  error: unknown,
  otherwise = 'its answer is not of the protocol',
): ProviderProblem {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderProblem) return cause;
  return new ProviderProblem(REASONS[codeOf(error)] ?? otherwise, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
