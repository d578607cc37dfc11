import { HIDDEN, storableJson, unlessHidden } from '../../../../kernel/common';
import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';

/** The secrets that a request brings: the sign for a hidden one leaves what its user keeps under the name. */
export function broughtSecrets({
  secrets,
}: Pick<AppConversationStartRequest, 'secrets'>): Record<string, string> | null {
  if (!secrets) return null;
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => unlessHidden(value) !== undefined));
}

/** The request as it is stored and answered: what was given, with the values of secrets hidden. */
export function storableRequest(request: AppConversationStartRequest): Record<string, unknown> {
  const { secrets, ...rest } = request;
  const brought = secrets && broughtSecrets({ secrets });
  const hidden = {
    ...rest,
    ...(brought && { secrets: Object.fromEntries(Object.keys(brought).map((name) => [name, HIDDEN])) }),
  };
  return storableJson(hidden);
}
