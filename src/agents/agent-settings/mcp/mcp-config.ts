import { z } from 'zod';
import { AppError, HIDDEN, isRecord } from '../../../kernel/common';

const MAX_MCP_SERVERS = 50;
const MAX_MCP_BYTES = 64 * 1024;

const NAME = /^[A-Za-z0-9_-]{1,100}$/;
/** Levels of objects and lists in a patch: those of a server's OAuth state, and some more. */
const MAX_DEPTH = 10;

/** Fields that are meant for one host only. */
const IDENTIFICATION = new Set(['headers', 'auth']);

/** How agent servers can identify themselves. */
const STRATEGIES = ['none', 'api_key', 'bearer', 'basic', 'header', 'oauth2'] as const;

const texts = z.record(z.string(), z.string());

const mcpServer = z.object({
  transport: z.enum(['stdio', 'http', 'streamable-http', 'sse']).exactOptional(),
  url: z.string().exactOptional(),
  command: z.string().min(1).exactOptional(),
  args: z.array(z.string()).exactOptional(),
  env: texts.exactOptional(),
  cwd: z.string().exactOptional(),
  description: z.string().exactOptional(),
  icon: z.string().exactOptional(),
  timeout: z.number().positive().exactOptional(),
  sse_read_timeout: z.number().positive().exactOptional(),
  keep_alive: z.boolean().exactOptional(),
  headers: texts.exactOptional(),
  auth: z.looseObject({ strategy: z.enum(STRATEGIES) }).exactOptional(),
  enabled: z.boolean().exactOptional(),
});

/** Servers with tools for agents, by name, as agent servers take them. */
export const mcpConfig = z.record(z.string(), mcpServer);

export type McpServer = z.infer<typeof mcpServer>;
export type McpConfig = z.infer<typeof mcpConfig>;

type Patch = Readonly<Record<string, unknown>>;

/** 400: the MCP servers would not be as they have to be after a change (docs/contract.md#mcp-servers). */
export class McpConfigInvalidError extends AppError {
  /** @param problem what is wrong, without a value */
  constructor(problem: string) {
    super(400, 'mcp_config_invalid', `The settings are not saved: ${problem}.`);
  }
}

/** @returns what keeps a patch from being merged, or null */
export function patchProblem(patch: Readonly<Record<string, unknown>>): string | null {
  if (!Object.keys(patch).every((name) => NAME.test(name)))
    return 'the name of an MCP server has 1 to 100 letters, digits, hyphens and underscores';
  return isDeeper(patch, MAX_DEPTH) ? `MCP servers are at most ${MAX_DEPTH} levels deep` : null;
}

/**
 * Merges a patch into MCP servers: null takes a value away, and a redacted value leaves the one that is there. What a
 * server was given to identify itself with goes when it moves to another host.
 * @param patch of servers by name; null takes all of them away
 * @throws McpConfigInvalidError where the result is not as it has to be
 */
export function patchedMcp(before: McpConfig, patch: Patch | null): McpConfig {
  if (patch === null) return {};
  const present = Object.fromEntries(
    Object.entries(before).map(([name, server]) => {
      const change = Object.hasOwn(patch, name) ? patch[name] : undefined;
      if (!isRecord(change) || staysAtHost(server.url, change['url'])) return [name, server];
      return [name, Object.fromEntries(Object.entries(server).filter(([key]) => !IDENTIFICATION.has(key)))];
    }),
  );
  return checked(merged(present, patch));
}

/** The servers for agents: those that are enabled. */
export function enabledServers(config: McpConfig): Record<string, Omit<McpServer, 'enabled'>> {
  return Object.fromEntries(
    Object.entries(config).flatMap(([name, { enabled = true, ...server }]) =>
      enabled ? [[name, server]] : [],
    ),
  );
}

function merged(before: unknown, patch: Patch): Record<string, unknown> {
  const target: Patch = isRecord(before) ? before : {};
  const kept = Object.entries(target).filter(([key]) => !Object.hasOwn(patch, key));
  const changed = Object.entries(patch).flatMap(([key, value]): [string, unknown][] => {
    const present = Object.hasOwn(target, key) ? target[key] : undefined;
    if (value === HIDDEN) return present === undefined ? [] : [[key, present]];
    if (value === null) return [];
    return [[key, isRecord(value) ? merged(present, value) : value]];
  });
  return Object.fromEntries([...kept, ...changed]);
}

function staysAtHost(before: string | undefined, after: unknown): boolean {
  if (before === undefined || typeof after !== 'string') return true;
  return URL.canParse(after) && new URL(after).origin === new URL(before).origin;
}

/** The servers, if they are as they have to be. What is wrong is said without a value of theirs. */
function checked(value: unknown): McpConfig {
  const read = mcpConfig.safeParse(value);
  if (!read.success) {
    const place = read.error.issues[0]?.path.slice(0, 2).join('.') ?? '';
    throw new McpConfigInvalidError(`the MCP server ${place} is not as it has to be`);
  }
  const servers = Object.entries(read.data);
  if (servers.length > MAX_MCP_SERVERS)
    throw new McpConfigInvalidError(`there are at most ${MAX_MCP_SERVERS} MCP servers`);
  if (Buffer.byteLength(JSON.stringify(read.data)) > MAX_MCP_BYTES)
    throw new McpConfigInvalidError(`MCP servers have at most ${MAX_MCP_BYTES / 1024} KiB together`);
  for (const [name, server] of servers) {
    const problem = serverProblem(server);
    if (problem !== null) throw new McpConfigInvalidError(`the MCP server ${name} ${problem}`);
  }
  return read.data;
}

function serverProblem({ transport, url, command, headers, auth }: McpServer): string | null {
  const isLocal = transport === undefined ? command !== undefined : transport === 'stdio';
  if (isLocal) return command === undefined ? 'needs a command' : null;
  if (url === undefined) return 'needs a url';
  const address = URL.canParse(url) ? new URL(url) : null;
  const isPlain =
    address !== null &&
    /^https?:$/.test(address.protocol) &&
    address.username === '' &&
    address.password === '';
  if (!isPlain) return 'needs a url of http or https, without a user and password';
  if (auth === undefined) return null;
  if (auth.strategy === 'basic' && typeof auth['username'] !== 'string')
    return 'needs a username in its auth';
  const names = Object.keys(headers ?? {}).map((name) => name.toLowerCase());
  return names.includes('authorization') ? 'has both auth and a header Authorization' : null;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members: readonly unknown[] = Array.isArray(value) || isRecord(value) ? Object.values(value) : [];
  return levels === 0 || members.some((member) => isDeeper(member, levels - 1));
}
