import { type AgentServer, AgentServerClient } from '../../agent-server';
import { AgentMessages } from '../../conversations';
/** The agent of a conversation, at its agent server. */
export interface AgentPlace {
    readonly server: AgentServer;
    readonly conversationId: string;
}
/** Finds out whether an agent works on what it was told. */
export declare class AgentWork {
    private readonly agentServers;
    private readonly messages;
    constructor(agentServers: AgentServerClient, messages: AgentMessages);
    /**
     * Whether a run is under way, planned, or about to begin: a message that has just been stored is not run yet, and one
     * stored without a run never is.
     * @throws AgentServerError
     */
    isUnderWay(target: AgentPlace, signal: AbortSignal): Promise<boolean>;
    private isWorking;
    /** Whether the log has a message after which the agent has not taken up any status. */
    private endsWithMessage;
}
