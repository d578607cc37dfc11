import { SandboxConversations } from '../../sandboxes';
import { ConversationRepository } from '../record/conversation.repository';
/** Lets sandboxes know their conversations: those whose agents work, and those to pause before the sandbox is. */
export declare class ConversationsOfSandbox {
    constructor(conversations: ConversationRepository, sandboxes: SandboxConversations);
}
