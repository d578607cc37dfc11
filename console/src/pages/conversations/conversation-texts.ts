import { texts } from '../../text';

/** What the agent of a conversation does; a status that this console does not know is shown as it is. */
export function executionText(status: string | null): string {
  if (status === null) return texts.conversations.notStarted;
  return textIn(texts.conversations.execution, status) ?? status;
}

/** What a sandbox does. */
export function sandboxText(status: string | null): string {
  if (status === null) return '–';
  return textIn(texts.conversations.sandbox, status) ?? status;
}

/** Tags as people write them. */
export function tagTexts(tags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(tags).map(
    ([name, value]) => `${name}:${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}

/** The text for a word of the service, or undefined for one that has none here. */
export function textIn(of: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(of, word) ? of[word] : undefined;
}
