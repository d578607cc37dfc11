import type { McpConfig, McpServer } from './mcp-config';
/** What stands in answers for a secret, and in requests for the one that is kept. */
export declare const REDACTED = "**********";
/** MCP servers as they are answered: without the values of variables, headers and identifications. */
export declare function redactedMcp(config: McpConfig): Record<string, McpServer>;
