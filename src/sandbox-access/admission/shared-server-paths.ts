import { parseUuid } from '../../common';

/** What an agent server says of itself. */
const OF_NOBODY = new Set(['/health', '/alive', '/ready', '/server_info']);

/** Nothing encoded: what is compared is what the agent server reads. */
const OF_CONVERSATION = /^\/(?:api\/conversations|sockets\/events)\/([0-9a-f-]+)(?:\/[\w/-]*)?$/i;

/**
 * The conversation that a path at an agent server concerns.
 * @returns its id; `null` for a path of no conversation that anybody may see; undefined for any other path
 */
export function conversationOfPath(path: string): string | null | undefined {
  if (OF_NOBODY.has(path)) return null;
  const [, text] = OF_CONVERSATION.exec(path) ?? [];
  return text === undefined ? undefined : (parseUuid(text) ?? undefined);
}
