import { expandShortForm, isLocalPath } from './source';

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
