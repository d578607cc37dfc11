import type { IdentityProvider } from '../record/identity-provider.entity';

/** In place of an id in paths: the provider of the installation. */
export const INSTALLATION = 'installation';

/** Begins to sign in with a provider. */
export const BEGIN_PATH = '/login/oidc/:provider';

/** Where a provider sends browsers back to; each has one of its own, so that no other one's answer is taken for its. */
export const CALLBACK_PATH = '/login/oidc/:provider/callback';

/** Where a provider says that somebody signed out there. */
export const BACKCHANNEL_LOGOUT_PATH = '/login/oidc/:provider/backchannel-logout';

/** One of these paths, for a provider. */
export function pathFor(path: string, { id, orgId }: Pick<IdentityProvider, 'id' | 'orgId'>): string {
  return path.replace(':provider', orgId === null ? INSTALLATION : id);
}
