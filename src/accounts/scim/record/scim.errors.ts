import { AppError, appError } from '../../../kernel/common';

/** The names of errors that the protocol has (RFC 7644, section 3.12). */
type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** What a directory is answered: see `ScimErrorFilter`. */
export class ScimError extends AppError {
  /** @param scimType null where the protocol has no name for it */
  constructor(
    status: number,
    readonly scimType: ScimType | null,
    detail: string,
  ) {
    super(status, scimType ?? 'scim', detail);
  }
}

/** 404: the organization of the token has no such resource. */
export class ScimNotFoundError extends ScimError {
  constructor(id: string) {
    super(404, null, `There is no resource ${id.slice(0, 100)}.`);
  }
}

/** 409: the organization has as many as it may have. */
export const TooManyScimTokensError = appError(
  409,
  'too_many_scim_tokens',
  'The organization has as many tokens of its directory as there may be; revoke one first.',
);

/** 400: the token would never work. */
export const ScimTokenExpiryError = appError(
  400,
  'scim_token_expiry_invalid',
  'expires_at must lie in the future, or the token would never work.',
);

/** 404: the organization has no such token. */
export const ScimTokenNotFoundError = appError(
  404,
  'scim_token_not_found',
  'This organization has no such token.',
);

/** 404: the directory of the organization has no such group. */
export const ScimGroupNotFoundError = appError(
  404,
  'scim_group_not_found',
  'The directory of this organization has no such group.',
);

/** 400: neither one of the three roles nor one of the organization's own. */
export const GroupRoleInvalidError = appError(
  400,
  'invalid_role',
  'The role must be member, admin, owner, the id of one of the roles of the organization, or null.',
);
