import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';
/** What a response has in place of a secret's value (docs/contract.md#start-request). */
export declare const HIDDEN = "**********";
/** The request as it is stored and answered: what was given, with the values of secrets hidden. */
export declare function storableRequest(request: AppConversationStartRequest): Record<string, unknown>;
