import { AppError, ServiceUnavailableError, appError } from '../../common';

/** 401: no credential, or one that does not work (docs/contract.md#credentials). */
export class UnauthenticatedError extends AppError {
  constructor(header = 'X-Access-Token', detail = `A valid key is required in the ${header} header.`) {
    super(401, 'not_authenticated', detail, { 'WWW-Authenticate': 'Bearer' });
  }
}

/** 401: a ticket that does not open this stream, or no longer (docs/streams.md#tickets). */
export class TicketRefusedError extends UnauthenticatedError {
  constructor() {
    super('X-Access-Token', 'The ticket was used, has expired, or is not for this stream: get a new one.');
  }
}

/**
 * 503: an extension's verifier (docs/extending.md#credentials) or a provider of identities (docs/provider-tokens.md) does not say whether a
 * credential works.
 */
export class CredentialVerifierUnavailableError extends ServiceUnavailableError {
  constructor(options?: ErrorOptions) {
    super(
      'What verifies this kind of credential does not answer; try again shortly.',
      'credential_verifier_unavailable',
      5,
      options,
    );
  }
}

/** 403: the caller is a member, but their role lacks the permission. */
export class PermissionDeniedError extends AppError {
  constructor(permission: string) {
    super(403, 'permission_denied', `Your role in this organization lacks the permission ${permission}.`);
  }
}

/** 403: the key can do less than its user, and not this (docs/contract.md#keys-that-can-do-less). */
export class KeyScopeError extends AppError {
  /** @param wanted one of them would do */
  constructor(wanted: readonly string[]) {
    const lacking =
      wanted.length === 0
        ? 'No key with scopes can do this'
        : `This key lacks the scope ${wanted.join(' or ')}`;
    super(403, 'key_scope_missing', `${lacking}: use one that can do all that you may.`);
  }
}

/** 403: a sandbox sends the cookie of a session (docs/sandboxes.md#calls-of-sandboxes). */
export const SessionOfSandboxError = appError(
  403,
  'session_from_sandbox',
  'Sandboxes call here, and no session counts in their calls: send a key in the X-Access-Token header.',
);

/** 403: a session that began more than an hour ago is to change keys, roles, invitations or credentials. */
export const SignInAgainError = appError(
  403,
  'sign_in_again',
  'You signed in more than an hour ago: sign in again, at /login, to change keys, roles, invitations or credentials.',
);

/** 403: the organization does not exist or the caller is not a member; the two are indistinguishable. */
export const NotAMemberError = appError(403, 'not_a_member', 'You are not a member of this organization.');

/** 403: the key is bound to another organization than the requested one. */
export const KeyBoundElsewhereError = appError(
  403,
  'key_bound_to_other_organization',
  'This key works in another organization only.',
);

/** 403: whoever the link of an administrator let in uses a conversation that was not started so. */
export const SignedInByLinkError = appError(
  403,
  'signed_in_by_link',
  'You were let in by the link of an administrator, with which this conversation was not started: you can read it only. To go on in it, sign in by mail or with a key of your own.',
);

/** 403: whoever the link of an administrator let in wants to keep something for the user, or to let in others. */
export const KeptByLinkError = appError(
  403,
  'signed_in_by_link',
  'You were let in by the link of an administrator: this needs a sign-in by mail, or a key of your own.',
);

/** 400: `X-Org-Id` is not a UUID. */
export const InvalidSelectorError = appError(
  400,
  'organization_selector_invalid',
  'X-Org-Id must be the id of an organization.',
);

/** 400: the request names two different organizations. */
export const ContradictingSelectorsError = appError(
  400,
  'organization_selectors_contradict',
  'The request names two different organizations.',
);

/** 400: the organization of an invitation does not exist (docs/contract.md#invitations). */
export const UnknownOrganizationError = appError(
  400,
  'organization_not_found',
  'This organization does not exist.',
);

/** 404: the caller has no current organization, or it is gone. */
export const NoCurrentOrganizationError = appError(
  404,
  'current_organization_not_found',
  'You have no current organization; choose one with X-Org-Id.',
);

/** 404: no other service may call (docs/contract.md#keys-for-other-services). */
export const ServiceAccessOffError = appError(
  404,
  'service_access_off',
  'Calls of other services are turned off: there is no SERVICE_API_KEY.',
);
