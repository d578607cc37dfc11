import { type ExemptHosts, GitAddressProblem, readFetchedAddress } from '../../git-credentials';
import { GIT_HOSTS } from './registration-rules';
import { RegistrationProblem } from './registration-problem';

const SHORT_FORM = /^([a-z0-9-]+):([\w.-]+\/[\w.-]+)$/;

/** Where a registration's marketplace is. */
export type MarketplaceSource =
  { readonly kind: 'git'; readonly url: string } | { readonly kind: 'local'; readonly path: string };

/**
 * What a short form (`github:owner/repo`; docs/contract.md#marketplace-registrations) stands for, or null
 * when the source is none.
 */
export function expandShortForm(source: string): string | null {
  const [, prefix = '', repository] = SHORT_FORM.exec(source) ?? [];
  const host = GIT_HOSTS.get(prefix);
  if (host === undefined || repository === undefined) return null;
  return `https://${host}/${repository.replace(/\.git$/, '')}.git`;
}

/** True when the source names a folder instead of a repository. */
export function isLocalPath(source: string): boolean {
  return !source.includes(':');
}

/**
 * Reads the source of a registration that is to be fetched.
 * @throws RegistrationProblem for sources that are never fetched: anything but https, or http on hosts that the
 *   operator allows, and for addresses that can be read in several ways
 */
export function parseSource(source: string, hosts: ExemptHosts): MarketplaceSource {
  if (isLocalPath(source)) return { kind: 'local', path: source };
  const address = expandShortForm(source) ?? source;
  if (/^(?:ssh|git):|^[^:/]+@/.test(address))
    throw new RegistrationProblem('ssh and git addresses cannot be previewed; use an https address');
  if (!/^https?:/i.test(address))
    throw new RegistrationProblem('this kind of source cannot be previewed; use an https address');
  try {
    return { kind: 'git', url: readFetchedAddress(address, hosts).url };
  } catch (error) {
    if (error instanceof GitAddressProblem) throw new RegistrationProblem(error.message);
    throw error;
  }
}
