import { appError } from '../../kernel/common';
import { MAX_SECRETS } from './secret-rules';

/** 404: you have no such secret (docs/contract.md#secrets). */
export const SecretNotFoundError = appError(404, 'secret_not_found', 'You have no secret of this name.');

/** 409: a secret of this name exists already. */
export const SecretExistsError = appError(409, 'secret_exists', 'You have a secret of this name already.');

/** 409: the limit of secrets per user is reached. */
export const TooManySecretsError = appError(
  409,
  'too_many_secrets',
  `You have ${MAX_SECRETS} secrets, which is the most there may be.`,
);

/** 403: a key bound to one organization may not change what applies to all of its user's. */
export const SecretOfAllOrganizationsError = appError(
  403,
  'secret_of_all_organizations',
  'This secret holds in all of your organizations; a key that is bound to one cannot change it.',
);
