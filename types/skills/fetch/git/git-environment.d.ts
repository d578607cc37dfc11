import type { GitCredential } from './git-credentials';
export interface GitContext {
    /** Folder of this fetch only; git's home. */
    readonly folder: string;
    /** The bare repository in it. */
    readonly repository: string;
    /** URL that is cloned. */
    readonly url: string;
    /** Git's only access to the network. */
    readonly proxyUrl: string;
    readonly credential: GitCredential | null;
}
/**
 * The whole environment of a git that handles an untrusted repository: none of this machine's configuration,
 * nothing that starts another program, no network access except the proxy. URLs and credentials are passed here and
 * not as arguments, which every user of the machine can read.
 */
export declare function gitEnvironment(context: GitContext): Record<string, string>;
