import { AgentServerClient } from '../../agent-server';
import type { Caller } from '../../auth';
import { type Settings } from '../../config';
import { SandboxLifecycle, SandboxReader } from '../../sandboxes';
import { ConversationAccess } from '../access/conversation-access';
import { AgentRuns } from '../agent-messages/agent-runs';
import { SendTargets } from '../send-message/send-targets';
/** Stops agents (docs/contract.md#interrupt). */
export declare class InterruptService {
    private readonly targets;
    private readonly access;
    private readonly sandboxes;
    private readonly lifecycle;
    private readonly runs;
    private readonly agentServers;
    private readonly settings;
    /** Apart from messages: where as many wait as may, the agent that they wait for can still be stopped. */
    private readonly waiting;
    constructor(targets: SendTargets, access: ConversationAccess, sandboxes: SandboxReader, lifecycle: SandboxLifecycle, runs: AgentRuns, agentServers: AgentServerClient, settings: Settings);
    /**
     * Stops the run of a conversation's agent, also in the middle of a tool, and one that waits for its turn; that one
     * keeps its turn where it fails.
     * @throws in the order of docs/contract.md#send-message-errors: ConversationNotFoundError, SandboxNotFoundError,
     *   ConversationArchivedError, SandboxFailedError, SandboxNotRunningError, TooManyWaitingCallsError,
     *   UnknownToAgentServerError, AgentServerError
     */
    interrupt(caller: Caller, conversationId: string): Promise<void>;
    private stop;
}
