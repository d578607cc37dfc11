import type { EntityManager } from 'typeorm';
import { ConversationAgents } from '../../../agent-settings';
import { SandboxReader } from '../../../sandboxes';
import { ConversationRepository } from '../../record/conversation.repository';
import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';
/** Whom a conversation is started for. */
export interface StartOwner {
    readonly orgId: string;
    readonly userId: string;
}
/** What a request to start a conversation may name (docs/contract.md#start-request). */
export declare class StartPreconditions {
    private readonly sandboxes;
    private readonly conversations;
    private readonly agents;
    constructor(sandboxes: SandboxReader, conversations: ConversationRepository, agents: ConversationAgents);
    /**
     * @returns the sandbox that is asked for, null when none is
     * @throws RoleNotSupportedError, SharingNotSupportedError, StartFieldNotSupportedError,
     *   ParentNotFoundError, ProfileNotFoundError, ConversationIdInUseError
     */
    check(owner: StartOwner, request: AppConversationStartRequest): Promise<string | null>;
    /**
     * The parent, if there is one, stays until the transaction has stored what is to be deleted with it.
     * @throws ParentNotFoundError
     */
    holdParent(transaction: EntityManager, owner: StartOwner, request: AppConversationStartRequest): Promise<void>;
    private chosenSandbox;
    /**
     * Answered before the cap on sandboxes (docs/contract.md#order-of-checks). Of two starts at once, the later one
     * learns it on storing.
     */
    private checkIdIsFree;
    private checkProfile;
    private checkParent;
}
