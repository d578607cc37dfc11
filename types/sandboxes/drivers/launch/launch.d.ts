/** A process that outlives this one. */
export interface Launch {
    readonly program: string;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    /** Null for the user of this process. */
    readonly uid: number | null;
    /** The file for its output, truncated first. */
    readonly logFile: string;
    /** Called when it ends while this process lives. */
    readonly onExit: () => void;
}
/**
 * Starts a process in a session of its own, where no signal from our terminal reaches it, and with no open file of ours
 * but its log.
 * @returns its number
 * @throws DriverError when the program cannot be run
 */
export declare function launch(what: Launch): Promise<number>;
