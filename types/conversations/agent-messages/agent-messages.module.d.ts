/** Messages to agent servers, for whoever has one to send. */
export declare class AgentMessagesModule {
}
