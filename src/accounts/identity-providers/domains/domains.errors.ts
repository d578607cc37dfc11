import { appError } from '../../../kernel/common';

/** Most domains of an organization. */
export const MAX_DOMAINS = 50;

/** 404: the organization has not named such a domain. */
export const DomainNotFoundError = appError(404, 'domain_not_found', 'The organization has no such domain.');

/** 409: the organization has as many domains as it may have. */
export const TooManyDomainsError = appError(
  409,
  'too_many_domains',
  `The organization has ${MAX_DOMAINS} domains, which is the most there may be.`,
);

/** 409: the domain is another organization's. */
export const DomainTakenError = appError(
  409,
  'domain_taken',
  'Another organization has proved that this domain is its own.',
);

/** 409: DNS does not say that the domain is the organization's. */
export const DomainUnprovenError = appError(
  409,
  'domain_unproven',
  'Its DNS has no TXT record with the token yet; after one was made, it may take a while until it is seen.',
);
