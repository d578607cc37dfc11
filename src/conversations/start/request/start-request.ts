import { storableJson } from '../../../common';
import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';

/** What a response has in place of a secret's value (docs/contract.md#start-request). */
export const HIDDEN = '**********';

/** The request as it is stored and answered: what was given, with the values of secrets hidden. */
export function storableRequest(request: AppConversationStartRequest): Record<string, unknown> {
  const { secrets, ...rest } = request;
  const hidden = {
    ...rest,
    ...(secrets && { secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, HIDDEN])) }),
  };
  return storableJson(hidden);
}
