import type { OpenAPIObject } from '@nestjs/swagger';
import {
  ContradictingSelectorsError,
  CredentialNotAcceptedError,
  CredentialVerifierUnavailableError,
  InvalidSelectorError,
  KeptByLinkError,
  KeyScopeError,
  KeyBoundElsewhereError,
  NoCurrentOrganizationError,
  NotAMemberError,
  PermissionDeniedError,
  ProviderRequiredError,
  SECURITY_SCHEMES,
  SignInAgainError,
  UnauthenticatedError,
} from '../../auth';
import { type AppError, PageIdInvalidError } from '../../common';
import { RequestLimitError, type RateLimitStatus, TooManyFailedCredentialsError } from '../../request-limits';
import { BodyParseError, VALIDATION_STATUS, ValidationError } from '../../validation';
import { DEFAULT_BODY_LIMIT } from '../body/body-limit';
import { isForwarded } from './forwarded-operations';
import {
  BodyIncompleteError,
  BodyTooLargeError,
  DatabaseUnavailableError,
  InternalError,
  MethodNotAllowedError,
  UnsupportedEncodingError,
  ValueOutOfRangeError,
} from '../errors/http.errors';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** Errors that one condition makes possible: a sentence for each status, and an example of every code. */
export interface SharedResponses {
  readonly responses: Readonly<Record<number, string>>;
  readonly errors: readonly AppError[];
}

/**
 * The errors that operations of a kind share, by what the document says of an operation.
 * @param allowed the methods of its path
 */
export function sharedResponses(operation: Operation, allowed: readonly string[]): SharedResponses[] {
  return [
    anyResponses(allowed),
    ...(isClosed(operation) ? [closedResponses(operation), ...organizationResponses(operation)] : []),
    ...(Reflect.get(operation, 'x-recent-sign-in') === true ? [RECENT_SIGN_IN_RESPONSES] : []),
    ...(Reflect.get(operation, 'x-own-sign-in') === true ? [OWN_SIGN_IN_RESPONSES] : []),
    ...(operation.requestBody === undefined ? [] : [BODY_RESPONSES]),
    ...(isChecked(operation) && !isForwarded(operation) ? [validationResponses(operation)] : []),
    ...(takesIntegers(operation) ? [RANGE_RESPONSES] : []),
    ...(isPaged(operation) ? [PAGE_RESPONSES] : []),
  ];
}

const BODY_RESPONSES: SharedResponses = {
  responses: {
    400: 'The bytes of the body are no text, or ended too early.',
    413: 'The body is too large.',
    415: 'The body has a `Content-Encoding`.',
  },
  errors: [
    new BodyParseError(),
    new BodyIncompleteError(),
    new BodyTooLargeError(DEFAULT_BODY_LIMIT),
    new UnsupportedEncodingError(),
  ],
};

const RECENT_SIGN_IN_RESPONSES: SharedResponses = {
  responses: { 403: 'The session of the browser began more than an hour ago (`sign_in_again`).' },
  errors: [new SignInAgainError()],
};

const OWN_SIGN_IN_RESPONSES: SharedResponses = {
  responses: { 403: 'The link of an administrator let the caller in (`signed_in_by_link`).' },
  errors: [new KeptByLinkError()],
};

const RANGE_RESPONSES: SharedResponses = {
  responses: { 400: 'A number is larger than the service can store.' },
  errors: [new ValueOutOfRangeError()],
};

const PAGE_RESPONSES: SharedResponses = {
  responses: { 400: 'The `page_id` is none of this list.' },
  errors: [new PageIdInvalidError()],
};

function isPaged({ parameters = [] }: Operation): boolean {
  return parameters.some((parameter) => 'name' in parameter && parameter.name === 'page_id');
}

function anyResponses(allowed: readonly string[]): SharedResponses {
  return {
    responses: { 405: 'The path has no such method; `Allow` names those it has.' },
    errors: [new MethodNotAllowedError(allowed)],
  };
}

/** The state of a caller beyond a limit, for examples. */
const RATE_LIMIT_STATUS: RateLimitStatus = {
  limit: 30_000,
  remaining: 0,
  isExceeded: true,
  resetSeconds: 12,
};

function closedResponses({ security = [] }: Operation): SharedResponses {
  const { sandbox, service } = SECURITY_SCHEMES;
  const header = [sandbox, service].find((name) => security.some((scheme) => name in scheme));
  return {
    responses: {
      401: 'No key, or one that does not work.',
      429: 'Too many requests of the key in a minute, or too many failed keys of the address.',
      500: 'The service failed; the log knows the error id.',
      503: 'The database cannot be reached; try again shortly.',
    },
    errors: [
      new UnauthenticatedError(header),
      new RequestLimitError(RATE_LIMIT_STATUS),
      new TooManyFailedCredentialsError(RATE_LIMIT_STATUS),
      new InternalError(),
      new DatabaseUnavailableError(),
      new CredentialVerifierUnavailableError(),
    ],
  };
}

/** What the declared access makes possible: see `@Access`. */
function organizationResponses(operation: Operation): SharedResponses[] {
  const organization: unknown = Reflect.get(operation, 'x-organization');
  const permission: unknown = Reflect.get(operation, 'x-permission');
  if (organization === undefined) return [];
  const selector: SharedResponses = {
    responses: { 400: '`X-Org-Id` is no UUID, or contradicts another selector.' },
    errors: [new InvalidSelectorError()],
  };
  const scoped = scopeResponses(Reflect.get(operation, 'x-scope'));
  if (organization === 'none') return [selector, ...scoped];
  const member: SharedResponses = {
    responses: {
      403:
        typeof permission === 'string'
          ? `Not a member, or without the permission ${permission}.`
          : 'Not a member of the organization, or the key is bound elsewhere.',
    },
    errors: [
      new NotAMemberError(),
      new KeyBoundElsewhereError(),
      new CredentialNotAcceptedError('This organization accepts keys only that have an expires_at.'),
      new ProviderRequiredError(),
      ...(typeof permission === 'string' ? [new PermissionDeniedError(permission)] : []),
    ],
  };
  const current: SharedResponses = {
    responses: { 404: 'The caller has no current organization.' },
    errors: [new NoCurrentOrganizationError()],
  };
  const contradiction = { ...selector, errors: [...selector.errors, new ContradictingSelectorsError()] };
  if (organization === 'effective') return [selector, member, current, ...scoped];
  return [contradiction, member, ...(organization === 'path' ? [] : [current]), ...scoped];
}

/** What becomes of a key with other scopes. */
function scopeResponses(scope: unknown): SharedResponses[] {
  if (!Array.isArray(scope)) return [];
  return [
    {
      responses: { 403: 'The key has scopes, and none for this.' },
      errors: [new KeyScopeError(scope.map(String))],
    },
  ];
}

/** Errors of the request; a few operations report them with another status (`ValidationStatus`). */
function validationResponses(operation: Operation): SharedResponses {
  const declared: unknown = Reflect.get(operation, VALIDATION_STATUS);
  const status = declared === 400 ? 400 : 422;
  const issue = { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: {} };
  return {
    responses: { [status]: 'The request is not valid; every error is listed.' },
    errors: [new ValidationError([issue], { status, plain: false })],
  };
}

export function isClosed({ security = [] }: Operation): boolean {
  return security.length > 0;
}

/** Headers never fail a check; path, query and body may. */
function isChecked({ parameters = [], requestBody }: Operation): boolean {
  return (
    requestBody !== undefined ||
    parameters.some((parameter) => !('in' in parameter) || parameter.in !== 'header')
  );
}

function takesIntegers({ parameters = [] }: Operation): boolean {
  return JSON.stringify(parameters).includes('"integer"');
}
