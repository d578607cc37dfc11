import { HIDDEN, isRecord } from '../../../kernel/common';
import type { McpConfig, McpServer } from './mcp-config';

/** What of an identification is no secret. */
const SHOWN = ['strategy', 'username', 'header_name', 'type', 'client_auth_method', 'client_id', 'scopes'];

/** MCP servers as they are answered: without the values of variables, headers and identifications. */
export function redactedMcp(config: McpConfig): Record<string, McpServer> {
  return Object.fromEntries(Object.entries(config).map(([name, server]) => [name, redacted(server)]));
}

function redacted({ env, headers, auth, ...server }: McpServer): McpServer {
  return {
    ...server,
    ...(env !== undefined && { env: hidden(env) }),
    ...(headers !== undefined && { headers: hidden(headers) }),
    ...(auth !== undefined && { auth: { ...hiddenBelow(auth), strategy: auth.strategy } }),
  };
}

function hidden(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, HIDDEN]));
}

function hiddenBelow(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (isRecord(value)) return [name, hiddenBelow(value)];
      return [name, SHOWN.includes(name) ? value : HIDDEN];
    }),
  );
}
