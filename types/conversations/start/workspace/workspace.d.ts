import { type AgentServer, AgentServerClient } from '../../../agent-server';
import { type Settings } from '../../../config';
import { ProviderCredentials } from '../../../git-credentials';
import { CloneLogins } from './clone-logins';
import { FetchedWorkspace } from './fetched-workspace';
/** What a conversation works on, as asked for. */
export interface WorkspaceRequest {
    readonly conversationId: string;
    readonly repository: string | null;
    readonly branch: string | null;
    readonly provider: string | null;
}
/** The same, and for whom: their git credentials may be used. */
type OwnedRequest = WorkspaceRequest & {
    readonly orgId: string;
    readonly userId: string;
};
/** Who commits; null for whoever git takes. */
export interface CommitAuthor {
    readonly gitUserName: string | null;
    readonly gitUserEmail: string | null;
}
/** Prepares the folder a conversation works in, inside the sandbox through its agent server. */
export declare class Workspace {
    private readonly agentServers;
    private readonly fetched;
    private readonly logins;
    private readonly credentials;
    private readonly settings;
    constructor(agentServers: AgentServerClient, fetched: FetchedWorkspace, logins: CloneLogins, credentials: ProviderCredentials, settings: Settings);
    /** The folder of a conversation: of its own, with the repository inside where it has one. */
    folderOf(workingDir: string, request: WorkspaceRequest): string;
    /**
     * Clones the repository at the branch asked for. A clone that is there already from an earlier try stays;
     * half of one is made again.
     * @throws StartFailedError with git's reason
     */
    clone(target: AgentServer, folder: string, request: OwnedRequest, signal: AbortSignal): Promise<void>;
    /**
     * As {@link clone}, for an agent server that runs no commands.
     * @returns one sentence per unsupported request (setup script, git hook)
     * @throws StartFailedError with the reason
     */
    fetch(target: AgentServer, folder: string, request: OwnedRequest, signal: AbortSignal): Promise<string[]>;
    /**
     * Runs the repository's `.openhands/setup.sh`.
     * @returns what went wrong, or null when it went well or there is none
     */
    runSetupScript(target: AgentServer, folder: string, signal: AbortSignal): Promise<string | null>;
    /**
     * Makes somebody the author of the commits in a clone.
     * @returns what went wrong, or null
     */
    setAuthor(target: AgentServer, folder: string, { gitUserName, gitUserEmail }: CommitAuthor, signal: AbortSignal): Promise<string | null>;
    /** Makes the repository's `.openhands/pre-commit.sh` its git hook. @returns what went wrong, or null */
    installGitHook(target: AgentServer, folder: string, signal: AbortSignal): Promise<string | null>;
    /** At the host that the provider has for this user, where one is named. */
    private urlOf;
    private addressOf;
    private run;
}
export {};
