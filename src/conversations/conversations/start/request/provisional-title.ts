import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';

/** About as long as those that agent servers find. */
const MAX_CHARACTERS = 50;

/**
 * What a conversation is called until its agent server has found a title: the beginning of its first message.
 * @returns null for one without words
 */
export function provisionalTitle({
  initial_message: message,
}: Pick<AppConversationStartRequest, 'initial_message'>): string | null {
  const text = message?.content.map((block) => (block.type === 'text' ? block.text : '')).join(' ') ?? '';
  // Far more than a title takes, of what may be megabytes.
  const words = text.slice(0, 1_000).trim().split(/\s+/).join(' ');
  if (words === '') return null;
  const characters = Array.from(words);
  if (characters.length <= MAX_CHARACTERS) return words;
  const beginning = characters.slice(0, MAX_CHARACTERS).join('');
  return `${beginning.replace(/\s+\S*$/, '')}…`;
}
