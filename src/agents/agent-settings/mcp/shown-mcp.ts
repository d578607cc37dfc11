import { HIDDEN, isRecord } from '../../../kernel/common';
import { enabledServers, type McpConfig, type McpServer } from './mcp-config';

/** The parts of a credential that are not secret. */
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

/** A server that is reached at an address. */
interface RemoteToolServer {
  readonly url: string;
  /** A placeholder for the `Bearer` token, never the token itself; null for none. */
  readonly api_key: string | null;
}

/** MCP servers by how they are reached, as the cloud workspace of the software development kit reads them. */
export interface ListedMcp {
  readonly sse_servers: readonly RemoteToolServer[];
  readonly shttp_servers: readonly (RemoteToolServer & { readonly timeout: number | null })[];
  readonly stdio_servers: readonly {
    readonly name: string;
    readonly command: string;
    readonly args: readonly string[];
    /** Without their values. */
    readonly env: Readonly<Record<string, string>>;
  }[];
}

/** The servers that agents get, without secrets (docs/contract.md#mcp-servers). */
export function listedMcp(config: McpConfig): ListedMcp {
  const servers = Object.entries(redactedMcp(enabledServers(config)));
  const remote = servers.flatMap(([, server]) => {
    const { transport = 'http', url, timeout = null } = server;
    const isLocal = transport === 'stdio' || url === undefined;
    return isLocal ? [] : [{ isSse: transport === 'sse', url, api_key: tokenOf(server), timeout }];
  });
  return {
    sse_servers: remote.filter(({ isSse }) => isSse).map(({ url, api_key }) => ({ url, api_key })),
    shttp_servers: remote
      .filter(({ isSse }) => !isSse)
      .map(({ url, api_key, timeout }) => ({ url, api_key, timeout })),
    stdio_servers: servers.flatMap(([name, { transport = 'stdio', command, args = [], env = {} }]) =>
      transport !== 'stdio' || command === undefined ? [] : [{ name, command, args, env }],
    ),
  };
}

/** The hidden token of a redacted server, which other headers and ways to identify oneself are not. */
function tokenOf({ headers = {}, auth }: McpServer): string | null {
  const [, header] = Object.entries(headers).find(([name]) => /^authorization$/i.test(name)) ?? [];
  const isToken = auth?.strategy === 'bearer' || (auth?.strategy === 'api_key' && !auth['header_name']);
  const token = header ?? (isToken ? auth['value'] : null);
  return typeof token === 'string' ? token : null;
}
