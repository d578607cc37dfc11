import type { FetchedRepository } from '../fetch/fetched-repository';
import { type Content, type FileHead } from './content';
/** The files of a fetched commit; links are resolved among git's objects, not on a file system. */
export declare class GitContent implements Content {
    private readonly repository;
    private readonly targets;
    private constructor();
    /**
     * Prefetches all links, possible manifests and skill files in one request, since each further one costs time.
     * @param root folder of the marketplace
     */
    static open(repository: FetchedRepository, root: string): Promise<GitContent>;
    kindOf(path: string): Promise<'file' | 'folder' | 'link' | null>;
    names(folder: string): Promise<readonly string[]>;
    linkTarget(path: string): Promise<string>;
    read(paths: readonly string[], keepBytes: number): Promise<ReadonlyMap<string, FileHead>>;
}
