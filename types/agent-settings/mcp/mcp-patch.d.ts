import type { McpConfig } from './mcp-config';
type Patch = Readonly<Record<string, unknown>>;
/**
 * Merges a patch into MCP servers: null takes a value away, and a redacted value leaves the one that is there. What a
 * server was given to identify itself with goes when it moves to another host.
 * @param patch of servers by name; null takes all of them away
 */
export declare function patchedMcp(before: McpConfig, patch: Patch | null): unknown;
export {};
