import { AgentServerClient } from '../../agent-server';
import { Clock } from '../../common';
import { JobHandlers } from '../../jobs';
import { SandboxReader, SharedServers } from '../../sandboxes';
import { ConversationRemovals } from './conversation-removals';
/** Removes deleted conversations from their agent servers; while one does not answer, its job is tried again. */
export declare class RemovalWorker {
    private readonly removals;
    private readonly sandboxes;
    private readonly servers;
    private readonly agentServers;
    private readonly clock;
    private readonly logger;
    constructor(removals: ConversationRemovals, sandboxes: SandboxReader, servers: SharedServers, agentServers: AgentServerClient, clock: Clock, handlers: JobHandlers);
    /** @param unrecordedIn the sandbox of a conversation that the first release deleted */
    private run;
    /** A server of the sandbox's own goes with it, and is asked only while it runs. */
    private serverOf;
    /** @returns false when the server has no such conversation, or one of another user under its id */
    private remove;
}
