import { type Settings } from '../../config';
import { FetchService, type WantedRepository } from './fetch.service';
/** A file of a commit. Links are none. */
export interface RepositoryFile {
    /** Relative, with slashes. */
    readonly path: string;
    readonly bytes: Buffer;
}
/**
 * Reads the files of a repository's newest commit, fetched under the rules of marketplaces
 * (docs/decisions/0019-marketplace-sources-are-hostile.md): nothing of it is run or checked out here.
 */
export declare class RepositoryFiles {
    private readonly settings;
    private readonly fetching;
    /** Of its own: long fetches must not keep previews waiting. */
    private readonly slots;
    constructor(settings: Settings, fetching: FetchService);
    /**
     * Gives all files to `take`, some at a time.
     * @returns the paths of files that were left out because they are too large
     * @throws RegistrationProblem, the signal's reason, or what `take` throws
     */
    forEach(wanted: WantedRepository, signal: AbortSignal, take: (file: RepositoryFile) => Promise<void>): Promise<string[]>;
    private read;
}
