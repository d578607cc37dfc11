import { type AgentServer, AgentServerClient } from '../../../agent-server';
import { KeptCredentials } from '../../../skills';
/** How a clone logs in. */
export interface CloneLogin {
    /** Options of git, with a space behind them; empty without a credential. */
    readonly options: string;
    /** The file with the credential as a word of a shell, to be removed after the clone; empty without one. */
    readonly file: string;
}
/**
 * Has a clone in a sandbox log in with the credential that its user or the organization keeps for the repository. Git
 * reads it from a file that is there for this clone only: it is in no command line, no log and no `.git/config`.
 */
export declare class CloneLogins {
    private readonly agentServers;
    private readonly credentials;
    constructor(agentServers: AgentServerClient, credentials: KeptCredentials);
    /** @param folder that the repository is cloned into */
    forClone(target: AgentServer, folder: string, { url, orgId, userId }: {
        readonly url: string;
        readonly orgId: string;
        readonly userId: string;
    }): Promise<CloneLogin>;
}
