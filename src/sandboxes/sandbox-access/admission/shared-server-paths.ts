import { parseUuid } from '../../../kernel/common';

/** Paths about the agent server itself. */
const SERVER_PATHS = new Set(['/health', '/alive', '/ready', '/server_info']);

/** Encoded characters do not match: what is compared must be what the agent server reads. */
const CONVERSATION_PATH = /^\/(?:api\/conversations|sockets\/events)\/([0-9a-f-]+)((?:\/[\w/-]*)?)$/i;

/** Shell and editor below a conversation's path, which reach everything there is on the agent server. */
const SERVER_WIDE = /^\/+(?:bash|vscode)(?:\/|$)/i;

/**
 * The conversation that a path at an agent server belongs to.
 * @returns its id; `null` for a path that belongs to no conversation and that anybody may see; undefined for any other
 *   path
 */
export function conversationOfPath(path: string): string | null | undefined {
  if (SERVER_PATHS.has(path)) return null;
  const [, text, rest = ''] = CONVERSATION_PATH.exec(path) ?? [];
  return text === undefined || SERVER_WIDE.test(rest) ? undefined : (parseUuid(text) ?? undefined);
}
