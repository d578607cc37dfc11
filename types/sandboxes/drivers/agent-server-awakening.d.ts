import { type AgentServer } from '../../agent-server';
import { type Settings } from '../../config';
/** Where an agent server is that has no key yet. */
type KeylessServer = Omit<AgentServer, 'apiKey'>;
/** Gives agent servers that were started ahead, without keys, those of the sandbox that they become. */
export declare class AgentServerAwakening {
    private readonly settings;
    private readonly connections;
    constructor(settings: Settings);
    /** Whether it takes keys by now. */
    isReady(server: KeylessServer): Promise<boolean>;
    /**
     * @param onceKey what it was started with to know who may do this; it counts for nothing afterwards
     * @throws Error when it does not take them: somebody else may have been quicker
     */
    awake(server: KeylessServer, onceKey: string, sessionKey: string): Promise<void>;
    /** @returns the status */
    private call;
    private bodyFor;
}
export {};
