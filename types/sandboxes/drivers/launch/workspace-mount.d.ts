/** A command as it is started. */
export interface MountedCommand {
    readonly command: readonly string[];
    /** The user it is started as; null where it changes to the sandbox's user itself. */
    readonly uid: number | null;
    /** Variables that the mount allows for. */
    readonly variables: Readonly<Record<string, string>>;
}
/**
 * Shows each sandbox its own folder `workspace` as `/workspace` too, in a mount namespace of its own
 * (docs/sandboxes.md#the-folder-workspace). Linux, as root.
 */
export declare class WorkspaceMount {
    private readonly folder;
    private readonly used;
    private found;
    /**
     * @param folder that of the sandboxes
     * @param used what agent servers need: none of it may be hidden by the mount
     */
    constructor(folder: string, used: readonly string[]);
    /** Why sandboxes cannot have it on this host; null where they can. */
    problem(): Promise<string | null>;
    /**
     * A command of a sandbox with its folder mounted; unchanged where that cannot be.
     * @param home the folder of the sandbox, in which none of its processes is at work
     */
    mounted(command: readonly string[], home: string, uid: number | null): Promise<MountedCommand>;
    private findProblem;
}
