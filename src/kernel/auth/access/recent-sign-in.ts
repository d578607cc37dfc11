import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { SignInAgainError } from '../identity/auth.errors';
import type { Caller } from '../identity/principal';

/** Which requests of a route change keys, roles, invitations or credentials, by their bodies; undefined for one with errors. */
export type ChangesCredentials = (body: unknown) => boolean;

/** Metadata key of {@link ChangesCredentials}. */
export const CHANGES_CREDENTIALS = 'ocs:changes-credentials';

/** How long after signing in a session may change them. */
export const RECENT_SIGN_IN_SECONDS = 3_600;

/**
 * Declares that a route changes keys, roles, invitations or credentials: from the session of a browser it needs a sign-in of
 * the last hour (docs/web-interface.md#signing-in-again). The OpenAPI document shows what is declared here.
 * @param when whether a request does so, by its body; left out where all of them do
 */
export function RecentSignIn(when: ChangesCredentials = () => true): MethodDecorator {
  return applyDecorators(SetMetadata(CHANGES_CREDENTIALS, when), ApiExtension('x-recent-sign-in', true));
}

/**
 * Asserts that a caller may change keys, roles, invitations and credentials now: with a key at any time, with a session for an
 * hour.
 * @throws SignInAgainError
 */
export function requireRecentSignIn(
  { sessionId, signedInAt }: Pick<Caller, 'sessionId' | 'signedInAt'>,
  now: Date,
): void {
  if (sessionId === undefined) return;
  if (signedInAt === undefined || !isRecentSignIn(signedInAt, now)) throw new SignInAgainError();
}

/** Whether somebody proved who they are so lately that they may change credentials. */
export function isRecentSignIn(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() <= RECENT_SIGN_IN_SECONDS * 1_000;
}
