import { type AgentServer, AgentServerClient, type SendControl, type SendOutcome } from '../../agent-server';
import { AgentRuns } from './agent-runs';
/** Where a message goes: a conversation at the agent server of its sandbox. */
export interface MessageTarget {
    readonly server: AgentServer;
    readonly conversationId: string;
    readonly sandboxId: string;
}
/** What became of a message, for which the agent runs now or later. */
export type MessageOutcome = Exclude<SendOutcome, {
    kind: 'stored';
}>;
/** Hands messages to agent servers. */
export declare class AgentMessages {
    private readonly agentServers;
    private readonly runs;
    constructor(agentServers: AgentServerClient, runs: AgentRuns);
    /**
     * As AgentServerClient.sendMessage; a message that was stored while the server ran as many agents as it may is
     * `delivered`, and its agent runs as soon as it may.
     */
    send({ server, conversationId, sandboxId }: MessageTarget, rawBody: string, timeoutMs: number, control?: SendControl): Promise<MessageOutcome>;
    /** Whether an agent is to run for a message as soon as its server lets it. */
    isRunPlanned(conversationId: string): Promise<boolean>;
}
