import { parseUuid } from '../../common';

/** Paths about the agent server itself. */
const SERVER_PATHS = new Set(['/health', '/alive', '/ready', '/server_info']);

/** Encoded characters do not match: what is compared must be what the agent server reads. */
const CONVERSATION_PATH = /^\/(?:api\/conversations|sockets\/events)\/([0-9a-f-]+)(?:\/[\w/-]*)?$/i;

/**
 * The conversation that a path at an agent server belongs to.
 * @returns its id; `null` for a path that belongs to no conversation and that anybody may see; undefined for any other
 *   path
 */
export function conversationOfPath(path: string): string | null | undefined {
  if (SERVER_PATHS.has(path)) return null;
  const [, text] = CONVERSATION_PATH.exec(path) ?? [];
  return text === undefined ? undefined : (parseUuid(text) ?? undefined);
}
