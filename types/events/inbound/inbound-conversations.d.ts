import type { EntityManager } from 'typeorm';
import type { SandboxCaller } from '../../auth';
import { ConversationReports } from '../../conversations';
import { SandboxDrivers } from '../../sandboxes';
/**
 * Finds the conversation that an agent server reports on, and checks that it may
 * (docs/contract.md#inbound-webhooks).
 */
export declare class InboundConversations {
    private readonly conversations;
    private readonly drivers;
    constructor(conversations: ConversationReports, drivers: SandboxDrivers);
    /**
     * Makes sure that the conversation is one of the sandbox; one the service does not know becomes a record
     * of the sandbox's creator and organization.
     * @returns the sandbox that it is in, null without one
     * @throws ForeignConversationError
     */
    admit(transaction: EntityManager, sandbox: SandboxCaller, conversationId: string): Promise<string | null>;
    /**
     * A server that serves several sandboxes may report on its organization's conversations there
     * (docs/contract.md#sandbox-drivers).
     */
    private checkOwner;
}
