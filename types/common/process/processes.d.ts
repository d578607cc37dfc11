/** A process of a Linux system that is alive: its program's name, and when it started. */
export interface LinuxProcess {
    readonly name: string;
    readonly start: string;
}
/**
 * When a process started, as the system writes it: together with the pid it identifies a process for good.
 * @returns null when there is none; a zombie, dead but not yet collected by its parent, counts as none
 */
export declare function startOf(pid: number): Promise<string | null>;
/** The scope in which pids are unique: this boot of this machine, and the container's pid namespace. */
export declare function processSpace(): Promise<string>;
/** Waits until all the processes have ended. @returns false when some are left at the time-out */
export declare function waitUntilGone(pids: readonly number[], timeoutMs: number): Promise<boolean>;
/**
 * Sends a signal; that the process is gone already is not an error.
 * @param pid a process, or the negated id of a process group
 */
export declare function signal(pid: number, name: NodeJS.Signals): void;
/** A living process, read from `/proc`; null when there is none, or only a zombie. */
export declare function linuxProcess(pid: number): Promise<LinuxProcess | null>;
/** Whether a process state, as `ps` and `/proc` write it, is that of a zombie or a dead process. */
export declare function isDeadState(state: string): boolean;
