import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';
/**
 * A start request with what its suggested task stands for: the first message, and repository, provider and trigger
 * where they are left out (docs/contract.md#start-request). Without such a task it is the request itself.
 * @throws SuggestedTaskWithMessageError
 */
export declare function withSuggestedTask(request: AppConversationStartRequest): AppConversationStartRequest;
