import { RegistrationProblem } from '../registration/registration-problem';
import { type BlobHead } from './blob-stream';
import { type GitContext } from './git/git-environment';
import type { GitProcesses } from './git/git-processes';
import { TreeListing } from './tree-listing';
export interface FetchRequest extends Omit<GitContext, 'repository'> {
    /** Branch, tag or commit; null for the default branch. */
    readonly ref: string | null;
    readonly maxFiles: number;
    readonly processes: GitProcesses;
    readonly signal: AbortSignal;
    /** Why the proxy refused a connection, if it did. */
    readonly refusal: () => RegistrationProblem | null;
}
/**
 * One commit of a repository, freshly fetched. Nothing is ever checked out: git's objects are read as data,
 * so hooks, filters, attributes, submodules and links have no effect.
 */
export declare class FetchedRepository {
    private readonly request;
    private extent;
    private repository;
    readonly listing: TreeListing;
    private readonly fetchedIds;
    private constructor();
    /**
     * Fetches the commit with its tree; file contents are fetched when read, where the server supports that.
     * @throws RegistrationProblem
     */
    static fetch(request: FetchRequest): Promise<FetchedRepository>;
    /**
     * Reads blobs; missing ones are left out.
     * @param keepBytes how much of each is kept
     */
    read(ids: readonly string[], keepBytes: number): Promise<ReadonlyMap<string, BlobHead>>;
    /** Fetches the blobs that are not here yet, in one request. */
    prefetch(ids: readonly string[]): Promise<void>;
    private fetchCommit;
    private refspecs;
    private list;
    private git;
    /** The proxy's reason says more than git's message about it. */
    private problem;
}
