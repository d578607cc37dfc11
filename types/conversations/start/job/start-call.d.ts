import { type AgentServer, AgentServerClient, type ConversationInfo } from '../../../agent-server';
import type { RunningJob } from '../../../jobs';
/** A conversation to be made at an agent server. */
export interface WantedConversation {
    readonly server: AgentServer;
    readonly id: string;
    /** The body of the call, which has the id in it. */
    readonly body: Readonly<Record<string, unknown>>;
}
/** The call that makes a conversation at its agent server, and makes it once although its response may be lost. */
export declare class StartCall {
    private readonly agentServers;
    constructor(agentServers: AgentServerClient);
    /**
     * When the response is lost, the agent server may have made the conversation, or may still be making it. Where it
     * says that calls for one id may come at once, the call is repeated; elsewhere they would make two under one id, so
     * the conversation is only looked for, and a later run of the start repeats the call (docs/agent-servers.md).
     * @returns the conversation, and whether it is certainly new
     * @throws AgentServerError, LeaseLostError
     */
    make(wanted: WantedConversation, job: RunningJob): Promise<{
        created: boolean;
        info: ConversationInfo;
    }>;
    /** Whether the agent server offers it; not where it does not say. */
    private mayBeRepeated;
    private call;
    private lookFor;
    /** A look that fails has seen nothing: a repeated start would come too early. */
    private look;
}
