/** Secrets of users for the agents of their conversations. */
export declare class SecretsModule {
}
