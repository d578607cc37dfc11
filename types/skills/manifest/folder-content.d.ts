import type { Content, FileHead } from './content';
/** The files under `GIT_LOCAL_ROOT`. Its root is that folder, so links may point anywhere inside it. */
export declare class FolderContent implements Content {
    private readonly root;
    private readonly maxFiles;
    private readonly signal;
    private listed;
    private constructor();
    /** @throws RegistrationProblem when the root does not exist */
    static open(root: string, maxFiles: number, signal: AbortSignal): Promise<FolderContent>;
    kindOf(path: string): Promise<'file' | 'folder' | 'link' | null>;
    names(folder: string): Promise<readonly string[]>;
    /** An absolute link to a path under the root is treated as one inside it. */
    linkTarget(path: string): Promise<string>;
    read(paths: readonly string[], keepBytes: number): Promise<ReadonlyMap<string, FileHead>>;
    private readHead;
}
