import type { Caller } from '../../auth';
import { type Settings } from '../../config';
import { SandboxLifecycle, SandboxReader, WaitingCalls } from '../../sandboxes';
import { AgentMessages } from '../agent-messages/agent-messages';
import { ConversationAccess } from '../access/conversation-access';
import type { AppSendMessageResponse } from './send-message.dto';
import { SendTargets } from './send-targets';
/** Hands a message to the agent server as it came: a thin proxy (docs/contract.md#what-the-service-does). */
export declare class SendMessageService {
    private readonly targets;
    private readonly access;
    private readonly sandboxes;
    private readonly lifecycle;
    private readonly messages;
    private readonly waiting;
    private readonly settings;
    constructor(targets: SendTargets, access: ConversationAccess, sandboxes: SandboxReader, lifecycle: SandboxLifecycle, messages: AgentMessages, waiting: WaitingCalls, settings: Settings);
    /**
     * @param rawBody the JSON text for the agent server, `{role, content, run}`
     * @throws in the order of docs/contract.md#send-message-errors: ConversationNotFoundError,
     *   SandboxNotFoundError, ConversationArchivedError, SandboxFailedError, SandboxNotRunningError,
     *   TooManyWaitingCallsError, UnknownToAgentServerError, ValidationError (what the agent server finds malformed),
     *   MessageNotSentError
     */
    send(caller: Caller, conversationId: string, rawBody: string): Promise<AppSendMessageResponse>;
}
