/** Most characters of the name of a provider. */
export const MAX_PROVIDER_NAME = 200;
/** Most characters of an issuer, a client id, an audience and the scopes that are asked for. */
export const MAX_PROVIDER_TEXT = 512;
/** Most characters of a client secret. */
export const MAX_CLIENT_SECRET = 2_000;
/** Most characters of the name of a claim or a group. */
export const MAX_GROUP = 200;
/** Most groups that a provider gives roles to. */
export const MAX_GROUP_ROLES = 100;
/** Most characters of a subject (OpenID Connect Core 2). */
export const MAX_SUBJECT = 255;
/** Most characters of a name of DNS. */
export const MAX_DOMAIN = 253;
/** Most subjects that service accounts no longer have, of a provider: of earlier ones it is not remembered when they ended. */
export const MAX_UNBOUND = 1_000;
/** Most people who come into an organization for the first time by its providers in an hour. */
export const MAX_NEW_PEOPLE_PER_HOUR = 1_000;
