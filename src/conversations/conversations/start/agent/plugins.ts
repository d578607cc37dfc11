import { agentServerSource } from '../../../../agents/skills';
import type { StoredPlugin } from '../request/stored-request';

/** A plugin as the agent server takes it. */
interface AgentPlugin {
  readonly source: string;
  readonly ref: string | null;
  readonly repo_path: string | null;
}

/** The plugins of a start request, ready for the agent server. */
interface PluginSetup {
  readonly plugins: readonly AgentPlugin[];
  /** Their parameters as a text for the agent, since its start call has no place for them; null without any. */
  readonly parameters: string | null;
  /** Notes about omitted plugins, for the task's `detail`. */
  readonly notes: readonly string[];
}

/** Translates the sources of plugins for the agent server, as those of marketplaces. */
export function pluginSetup(asked: readonly StoredPlugin[]): PluginSetup {
  const plugins: AgentPlugin[] = [];
  const parameters: string[] = [];
  const notes: string[] = [];
  for (const { source: given, ref = null, repo_path = null, parameters: own } of asked) {
    const known = agentServerSource(given);
    if (!('source' in known)) {
      notes.push(`Plugin ${given} was left out: ${known.why}.`);
      continue;
    }
    plugins.push({ source: known.source, ref, repo_path });
    if (own && Object.keys(own).length > 0)
      parameters.push(`- ${[given, ref, repo_path].filter(Boolean).join(' ')}: ${JSON.stringify(own)}`);
  }
  return {
    plugins,
    parameters:
      parameters.length > 0 ? `Parameters that plugins are to be used with:\n${parameters.join('\n')}` : null,
    notes,
  };
}
