import type { SandboxAddress } from '../../../sandboxes';
import type { OrgConversationResponse } from './org-conversations.dto';
import type { OrgConversationRow } from './org-conversation.read-model';
/**
 * A conversation as the admins of its organization see it (docs/contract.md#organization-conversation).
 * @param conversationBaseOf what addresses of conversations in a running sandbox begin with
 */
export declare function toOrgConversation(row: OrgConversationRow, conversationBaseOf: (sandbox: SandboxAddress) => string | null): OrgConversationResponse;
