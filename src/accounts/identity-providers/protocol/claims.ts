import { isRecord, storableText } from '../../../kernel/common';
import type { ProvidedPerson } from '../people/provisioned-people';
import type { IdentityProvider } from '../record/identity-provider.entity';
import { MAX_GROUP } from '../record/limits';

/** More are not read. */
const MAX_GROUPS = 1_000;
const MAX_EMAIL = 320;
/** Without the one sign beyond ASCII that becomes a letter of ASCII in small letters, and so somebody else's address: that of kelvin. */
const ADDRESS = /^[^\s@\u212A]+@[^\s@\u212A]+$/;

/** The claims of a token, or of what a provider says of its bearer. */
export type Claims = Readonly<Record<string, unknown>>;

/** The person whom claims describe; the subject is the caller's, who verified it. */
export function personOf(
  { groupClaim }: Pick<IdentityProvider, 'groupClaim'>,
  subject: string,
  claims: Claims,
): ProvidedPerson {
  const email = textOf(claims['email'])?.trim() ?? '';
  return {
    subject,
    email: email.length <= MAX_EMAIL && ADDRESS.test(email) ? email : null,
    emailVerified: booleanOf(claims['email_verified']),
    name: textOf(claims['name']),
    groups: groupsOf(claims, groupClaim),
  };
}

/** What a provider calls a person, a session or itself; null for what is no such name, and for what the database would have as another one. */
export function nameIn(claim: unknown): string | null {
  return typeof claim === 'string' && storableText(claim) === claim ? claim : null;
}

/** The groups that claims name: in a claim of this name, or in one below others, as in `realm_access.roles`. */
export function groupsOf(claims: Claims, name: string): readonly string[] {
  const found = claimOf(claims, name);
  const groups: readonly unknown[] = Array.isArray(found) ? found.slice(0, MAX_GROUPS) : [found];
  return groups.filter(
    (group): group is string => typeof group === 'string' && group !== '' && group.length <= MAX_GROUP,
  );
}

/** Whether claims say anything of groups, be it that there are none. */
export function saysGroups({ groupClaim }: Pick<IdentityProvider, 'groupClaim'>, claims: Claims): boolean {
  return claimOf(claims, groupClaim) !== undefined;
}

/** Seconds since 1970; null for what is none. */
export function timeOf(claim: unknown): Date | null {
  const time = typeof claim === 'number' && claim >= 0 ? new Date(claim * 1_000) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}

function claimOf(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : below(claims, name.split('.'));
}

function below(claims: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return claims;
  return isRecord(claims) && Object.hasOwn(claims, name) ? below(claims[name], rest) : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Some providers send it as a text. */
function booleanOf(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}
