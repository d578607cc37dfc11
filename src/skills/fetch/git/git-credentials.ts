import type { Settings } from '../../../config';
import { parseUuid } from '../../../common';

export type GitCredential = Settings['GIT_CREDENTIALS'][number];

/**
 * The credential for cloning this address in this organization, or null: the longest prefix wins, and an
 * organization's own before one for all (`GIT_CREDENTIALS`; docs/contract.md#settings).
 */
export function credentialFor<Credential extends GitCredential>(
  url: string,
  orgId: string,
  credentials: readonly Credential[],
): Credential | null {
  const usable = credentials.filter(
    ({ org_id: owner, url_prefix: prefix }) =>
      (owner === undefined || parseUuid(owner) === orgId) && isUnder(url, prefix),
  );
  return (
    usable.sort(
      (one, other) =>
        other.url_prefix.length - one.url_prefix.length ||
        Number(other.org_id !== undefined) - Number(one.org_id !== undefined),
    )[0] ?? null
  );
}

/** Compares whole path segments: a prefix that ends in `/acme` does not match `/acme-other`. */
function isUnder(url: string, prefix: string): boolean {
  if (!URL.canParse(prefix)) return false;
  const given = new URL(prefix);
  const wanted = new URL(url);
  if (given.protocol !== wanted.protocol || given.host !== wanted.host) return false;
  const folder = given.pathname.endsWith('/') ? given.pathname : `${given.pathname}/`;
  const path = wanted.pathname.replace(/\.git\/?$/, '');
  return `${path}/`.startsWith(folder) || wanted.pathname === given.pathname;
}
