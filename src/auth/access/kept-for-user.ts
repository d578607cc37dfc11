import { SetMetadata } from '@nestjs/common';
import { KeptByLinkError } from '../identity/auth.errors';
import type { Caller } from '../identity/principal';

/** Metadata key of {@link KeptForUser}. */
export const KEPT_FOR_USER = 'ocs:kept-for-user';

/**
 * Declares that a route, or the routes of a controller that change something, keep what later runs in the name of their user:
 * closed to whoever the link of an administrator let in (docs/contract.md#sign-in-links).
 */
export function KeptForUser(): ClassDecorator & MethodDecorator {
  return SetMetadata(KEPT_FOR_USER, true);
}

/** @throws KeptByLinkError for whoever the link of an administrator let in */
export function requireOwnSignIn({ letInBy }: Pick<Caller, 'letInBy'>): void {
  if (letInBy !== null) throw new KeptByLinkError();
}
