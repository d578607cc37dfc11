/** Provides the one client of agent servers. */
export declare class AgentServerModule {
}
