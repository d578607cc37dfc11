import { type Settings } from '../../config';
/**
 * The whole environment of an agent server: nothing else of the service's own reaches it.
 * @param home its folder, for all that it stores
 * @param port the one it listens on
 */
export declare function agentServerEnvironment(settings: Settings, sessionKey: string, { home, port }: {
    readonly home: string;
    readonly port: number;
}): Record<string, string>;
/** The keys of an agent server, as variables. */
export declare function keysInEnvironment(sessionKey: string): Record<string, string>;
/** What of the environment of this process its agent servers have too. */
export declare function inheritedEnvironment(): Record<string, string>;
/**
 * What a driver puts into a file that only the agent server reads, where others may see its environment;
 * `OPENHANDS_AGENT_SERVER_CONFIG_PATH` names the file.
 */
export declare function agentServerFile(sessionKey: string): string;
/** As {@link agentServerEnvironment}, without the keys and without anything of this process's environment. */
export declare function environmentWithoutKeys(settings: Settings, { home, port }: {
    readonly home: string;
    readonly port: number;
}): Record<string, string>;
/**
 * The model of the embedded agent server; the real one gets its model with each conversation. The key for it is not among
 * these: it comes with the conversations that the service starts.
 */
export declare function modelEnvironment(settings: Settings): Record<string, string>;
