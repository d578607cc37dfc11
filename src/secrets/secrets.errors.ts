import { AppError } from '../common';

/** 404: you have no such secret (docs/contract.md#secrets). */
export class SecretNotFoundError extends AppError {
  constructor() {
    super(404, 'secret_not_found', 'You have no secret of this name.');
  }
}

/** 409: there is one of this name already. */
export class SecretExistsError extends AppError {
  constructor() {
    super(409, 'secret_exists', 'You have a secret of this name already.');
  }
}

/** 409: a user may not pile up secrets without end. */
export class TooManySecretsError extends AppError {
  constructor(limit: number) {
    super(409, 'too_many_secrets', `You have ${limit} secrets, which is the most there may be.`);
  }
}

/** 403: what holds in all organizations of a user is not changed by a key that is bound to one. */
export class SecretOfAllOrganizationsError extends AppError {
  constructor() {
    super(
      403,
      'secret_of_all_organizations',
      'This secret holds in all of your organizations; a key that is bound to one cannot change it.',
    );
  }
}
