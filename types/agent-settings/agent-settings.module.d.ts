/** What users and organizations set about the agents of their conversations. */
export declare class AgentSettingsModule {
}
