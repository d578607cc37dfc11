/** The address of a conversation at its agent server (docs/contract.md#conversation-record). */
export declare function conversationUrl(agentServerUrl: string, conversationId: string): string;
/** The folder of a conversation inside its sandbox. */
export declare function conversationFolder(workingDir: string, conversationId: string): string;
/** The folder that the agent of a conversation works in: that of its repository, or without one its own. */
export declare function workFolder(workingDir: string, { id, selectedRepository }: {
    readonly id: string;
    readonly selectedRepository: string | null;
}): string;
/** The name of the folder that a repository is cloned into, from its address or `owner/repo`. */
export declare function repositoryFolder(repository: string): string;
