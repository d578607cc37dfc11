import { type ExemptHosts, GitAddressProblem, readFetchedAddress } from '../../git-credentials';
import { GIT_HOSTS } from './registration-rules';
import { RegistrationProblem } from './registration-problem';

const SHORT_FORM = /^([a-z0-9-]+):([\w.-]+\/[\w.-]+)$/;

/** Where a registration's marketplace is. */
type MarketplaceSource =
  | { readonly kind: 'git'; readonly url: string }
  | { readonly kind: 'local'; readonly path: string };

/**
 * What a short form (`github:owner/repo`; docs/contract.md#marketplace-registrations) stands for, or null
 * when the source is none.
 */
function expandShortForm(source: string): string | null {
  const [, prefix = '', repository] = SHORT_FORM.exec(source) ?? [];
  const host = GIT_HOSTS.get(prefix);
  if (host === undefined || repository === undefined) return null;
  return `https://${host}/${repository.replace(/\.git$/, '')}.git`;
}

/** True when the source names a folder instead of a repository. */
function isLocalPath(source: string): boolean {
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

/** A registration as an agent server gets it; its other fields are not passed on. */
export interface ComposedRegistration {
  readonly name: string;
  readonly source: string;
  readonly ref: string | null;
  readonly repo_path: string | null;
  readonly auto_load: boolean;
}

/** The registrations for the agent server, and notes about those left out. */
export interface AgentServerRegistrations {
  readonly registrations: readonly ComposedRegistration[];
  /** Sentences for the detail of the start task. */
  readonly notes: readonly string[];
}

/**
 * Makes composed registrations fit for an agent server (docs/contract.md#composition-of-marketplaces):
 * without `scope`, with only such sources as it knows. It knows `github:`, http, https and git addresses, and
 * `user@host:path`; what cannot be said in these is left out with a note.
 */
export function forAgentServer(composed: readonly ComposedRegistration[]): AgentServerRegistrations {
  const registrations: ComposedRegistration[] = [];
  const notes: string[] = [];
  for (const { name, source, ref, repo_path, auto_load } of composed) {
    const known = isLocalPath(source)
      ? { why: 'a local path is not known in the sandbox' }
      : agentServerSource(source);
    if ('source' in known) registrations.push({ name, source: known.source, ref, repo_path, auto_load });
    else notes.push(`Marketplace ${name} was left out: ${known.why}.`);
  }
  return { registrations, notes };
}

/** A source in a form the agent server supports, or why there is none; a path would be one in its own file system. */
export function agentServerSource(source: string): { readonly source: string } | { readonly why: string } {
  if (/^github:[^/]+\/[^/]+$/.test(source) && !source.endsWith('.git')) return { source };
  if (!source.startsWith('ssh://')) return { source: expandShortForm(source) ?? source };
  const [, user = 'git', host, path] = /^ssh:\/\/(?:([^@/:]+)@)?([^/:@]+)\/(.+)$/.exec(source) ?? [];
  return host === undefined || path === undefined
    ? { why: 'the sandbox does not take ssh addresses with a port' }
    : { source: `${user}@${host}:${path}` };
}
