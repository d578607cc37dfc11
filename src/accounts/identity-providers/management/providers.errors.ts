import { appError } from '../../../kernel/common';

/** Most providers of an organization. */
export const MAX_PROVIDERS = 10;

/** 404: the organization has no such provider. */
export const ProviderNotFoundError = appError(
  404,
  'identity_provider_not_found',
  'The organization has no such provider.',
);

/** 409: the organization has as many providers as it may have. */
export const TooManyProvidersError = appError(
  409,
  'too_many_identity_providers',
  `The organization has ${MAX_PROVIDERS} providers, which is the most there may be.`,
);

/** 409: whoever lets people in by a provider alone would lock themselves out. */
export const NotSignedInByProviderError = appError(
  409,
  'not_signed_in_by_provider',
  'Sign in with this provider first: whoever lets people in by it alone has to have come in by it.',
);
