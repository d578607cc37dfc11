import { type Settings } from '../../config';
import { GitProxy } from '../git-proxy/git-proxy';
import { FetchedRepository } from './fetched-repository';
import { GitProcesses } from './git/git-processes';
import { InstalledGit } from './git/installed-git';
import { KeptCredentials } from './kept-credentials';
import { TemporaryFolders } from './temporary-folders';
/** What is to be fetched, for whom. */
export interface WantedRepository {
    readonly url: string;
    /** Branch, tag or commit; null for the default branch. */
    readonly ref: string | null;
    /** The organization whose credentials may be used. */
    readonly orgId: string;
    /** The user whose credentials may be used before those; absent for nobody. */
    readonly userId?: string | null;
}
/** Fetches repositories, always from their source, each within its limits, and deletes them afterwards. */
export declare class FetchService {
    private readonly settings;
    private readonly proxy;
    private readonly folders;
    private readonly git;
    private readonly processes;
    private readonly credentials;
    constructor(settings: Settings, proxy: GitProxy, folders: TemporaryFolders, git: InstalledGit, processes: GitProcesses, credentials: KeptCredentials);
    /**
     * Fetches a repository and lets `read` read it; afterwards it is deleted.
     * @param url as `parseSource` returns it
     * @param ref branch, tag or commit; null for the default branch
     * @throws RegistrationProblem, or the signal's reason
     */
    withRepository<T>({ url, ref, orgId, userId }: WantedRepository, signal: AbortSignal, read: (repository: FetchedRepository, signal: AbortSignal) => Promise<T>): Promise<T>;
}
