import type { Settings } from '../../../../kernel/config';
import { parseUuid } from '../../../../kernel/common';
import { isBelow, readGitAddress } from '../../../git-credentials';

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
      (owner === undefined || parseUuid(owner) === orgId) && isBelow(url, prefix),
  );
  return (
    usable.sort(
      (one, other) =>
        namesIn(other) - namesIn(one) ||
        Number(other.org_id !== undefined) - Number(one.org_id !== undefined),
    )[0] ?? null
  );
}

function namesIn({ url_prefix: prefix }: GitCredential): number {
  return readGitAddress(prefix).names.length;
}
