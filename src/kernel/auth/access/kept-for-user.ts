import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { KeptByLinkError } from '../identity/auth.errors';
import type { Caller } from '../identity/principal';

/** Metadata key of {@link KeptForUser}. */
export const KEPT_FOR_USER = 'ocs:kept-for-user';

/**
 * Declares that a route, or the routes of a controller that change something, keep what later runs in the name of their user:
 * closed to whoever the link of an administrator let in (docs/contract.md#sign-in-links). The OpenAPI document shows what is
 * declared here.
 */
export function KeptForUser(): ClassDecorator & MethodDecorator {
  return applyDecorators(SetMetadata(KEPT_FOR_USER, true), ApiExtension('x-own-sign-in', true));
}

/** @throws KeptByLinkError for whoever the link of an administrator let in */
export function requireOwnSignIn({ letInBy }: Pick<Caller, 'letInBy'>): void {
  if (letInBy !== null) throw new KeptByLinkError();
}
