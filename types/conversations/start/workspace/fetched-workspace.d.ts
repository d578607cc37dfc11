import { type AgentServer, AgentServerClient } from '../../../agent-server';
import { RepositoryFiles, type WantedRepository } from '../../../skills';
/**
 * Prepares the folder of a conversation whose agent server runs no commands (docs/sandboxes.md#isolation): the service
 * fetches the repository itself and hands its files over.
 */
export declare class FetchedWorkspace {
    private readonly agentServers;
    private readonly files;
    constructor(agentServers: AgentServerClient, files: RepositoryFiles);
    /**
     * Puts the files of a repository's newest commit into a folder; what an earlier try put there whole stays.
     * @returns one sentence per unsupported request (setup script, git hook)
     * @throws StartFailedError with the reason
     */
    fetch(target: AgentServer, folder: string, wanted: WantedRepository, signal: AbortSignal): Promise<string[]>;
    private within;
}
