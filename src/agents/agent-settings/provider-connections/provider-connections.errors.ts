import { appError } from '../../../kernel/common';
import { MAX_CONNECTIONS } from '../record/text-limits';

/** 404: the organization has no such connection. */
export const ConnectionNotFoundError = appError(
  404,
  'provider_connection_not_found',
  'The organization has no such connection.',
);

/** 409: there is one for this provider already. */
export const ConnectionExistsError = appError(
  409,
  'provider_connection_exists',
  'The organization has a connection for this provider already.',
);

/** 409: the limit of connections per organization is reached. */
export const TooManyConnectionsError = appError(
  409,
  'too_many_provider_connections',
  `The organization has ${MAX_CONNECTIONS} connections, which is the most there may be.`,
);
