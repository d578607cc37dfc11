import { rawJsonAt } from '../../../kernel/validation';
import type { AppSendMessageRequest } from './send-message.dto';

/**
 * The JSON text of a message's content as it came (docs/contract.md#values-that-cannot-be-stored).
 * @param body the text of the request
 * @param path where the content is in it
 * @returns null when it is not there
 */
export function contentJson(body: string, path: readonly string[]): string | null {
  return rawJsonAt(body, path) ?? null;
}

/**
 * The message as it goes to the agent server: the content verbatim, the rest typed
 * (docs/contract.md#send-message).
 */
export function forwardedMessage(
  { role, run }: Pick<AppSendMessageRequest, 'role' | 'run'>,
  body: string,
): string {
  return messageJson(role, contentJson(body, ['content']) ?? '[]', run);
}

/** `{role, content, run}` as JSON text. @param content JSON text */
export function messageJson(role: string, content: string, run: boolean): string {
  return `{"role":${JSON.stringify(role)},"content":${content},"run":${run}}`;
}
