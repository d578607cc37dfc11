import { type AgentServer, AgentServerClient } from '../../agent-server';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { SandboxConversations } from '../record/sandbox-conversations';
import { SandboxKeys } from '../record/sandbox-keys';
import type { Sandbox } from '../record/sandbox.entity';
type Located = Pick<Sandbox, 'driver' | 'baseUrl' | 'listenerUid'>;
type Addressed = Located & Pick<Sandbox, 'id' | 'sealedSessionKey'>;
/** Calls the agent servers of sandboxes. */
export declare class AgentServers {
    private readonly drivers;
    private readonly client;
    private readonly keys;
    private readonly conversations;
    /** Probes under way, by what they ask whom. */
    private readonly probes;
    constructor(drivers: SandboxDrivers, client: AgentServerClient, keys: SandboxKeys, conversations: SandboxConversations);
    /** Where a sandbox's agent server is, with the key it takes; null when it is nowhere: never started, or just being moved. */
    addressOf(sandbox: Addressed): AgentServer | null;
    /** As {@link addressOf}, for a sandbox whose own key was opened already. */
    addressWith({ driver, baseUrl, listenerUid }: Located, ownKey: string | null): AgentServer | null;
    /** Whether the agent server answers its health check, and is the one that takes this sandbox's key. */
    answers(sandbox: Addressed): Promise<boolean>;
    /** Whether it answers its health check. */
    isHealthy(sandbox: Addressed): Promise<boolean>;
    /** Seconds since the agent server last did something; null when it does not answer. */
    idleSeconds(sandbox: Addressed): Promise<number | null>;
    /**
     * Whether an agent of the sandbox runs: one that was last reported to, and of which its server does not say
     * otherwise. A report that it stopped may be lost.
     */
    hasAgentAtWork(sandbox: Addressed): Promise<boolean>;
    /** Pauses the agents of a sandbox after their current step; one that does not answer in time is left alone. */
    pauseConversations(sandbox: Addressed): Promise<void>;
    private isAtWork;
    private checkHealth;
    /** Sandboxes that share a server are inspected together: one probe answers for all that wait for it. */
    private once;
    private withEach;
}
export {};
