import type { AllowedHosts } from '../../common';
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
 *   operator allows
 */
export function parseSource(source: string, allowedHosts: AllowedHosts): MarketplaceSource {
  if (isLocalPath(source)) return { kind: 'local', path: source };
  const address = expandShortForm(source) ?? source;
  if (/^(?:ssh|git):|^[^:/]+@/.test(address))
    throw new RegistrationProblem('ssh and git addresses cannot be previewed; use an https address');
  if (!URL.canParse(address))
    throw new RegistrationProblem('this kind of source cannot be previewed; use an https address');
  const url = new URL(address);
  if (url.password !== '') throw new RegistrationProblem('the source must not hold a password');
  if (url.protocol === 'https:') return { kind: 'git', url: url.href };
  if (url.protocol === 'http:') {
    const port = url.port === '' ? 80 : Number(url.port);
    if (allowedHosts.allows(url.hostname, port)) return { kind: 'git', url: url.href };
    throw new RegistrationProblem('http is not allowed for this host; use https');
  }
  throw new RegistrationProblem('this kind of source cannot be previewed; use an https address');
}
