import type { StoredPlugin } from '../request/stored-request';
/** A plugin as the agent server takes it. */
export interface AgentPlugin {
    readonly source: string;
    readonly ref: string | null;
    readonly repo_path: string | null;
}
/** The plugins of a start request, ready for the agent server. */
export interface PluginSetup {
    readonly plugins: readonly AgentPlugin[];
    /** Their parameters as a text for the agent, since its start call has no place for them; null without any. */
    readonly parameters: string | null;
    /** What had to be left out, for the task's `detail`. */
    readonly notes: readonly string[];
}
/** Puts the sources of plugins into words that the agent server knows, as those of marketplaces are. */
export declare function pluginSetup(asked: readonly StoredPlugin[]): PluginSetup;
