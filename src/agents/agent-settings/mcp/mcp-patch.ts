import { HIDDEN, isRecord } from '../../../kernel/common';
import type { McpConfig } from './mcp-config';

/** What is meant for one host only. */
const IDENTIFICATION = new Set(['headers', 'auth']);

type Patch = Readonly<Record<string, unknown>>;

/**
 * Merges a patch into MCP servers: null takes a value away, and a redacted value leaves the one that is there. What a
 * server was given to identify itself with goes when it moves to another host.
 * @param patch of servers by name; null takes all of them away
 */
export function patchedMcp(before: McpConfig, patch: Patch | null): unknown {
  if (patch === null) return {};
  const present = Object.fromEntries(
    Object.entries(before).map(([name, server]) => {
      const change = Object.hasOwn(patch, name) ? patch[name] : undefined;
      if (!isRecord(change) || staysAtHost(server.url, change['url'])) return [name, server];
      return [name, Object.fromEntries(Object.entries(server).filter(([key]) => !IDENTIFICATION.has(key)))];
    }),
  );
  return merged(present, patch);
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
