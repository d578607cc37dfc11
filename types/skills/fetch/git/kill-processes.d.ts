import type { ChildProcess } from 'node:child_process';
/**
 * Kills all processes whose working folder is one of these or below. Scans until none is left, since a process may
 * start another one right before it is killed. Does nothing outside Linux, where working folders are not known.
 * @param folders real paths, without symbolic links
 */
export declare function killProcessesIn(folders: readonly string[]): Promise<void>;
/** Kills the process group that a process leads or led. */
export declare function killGroup({ pid }: ChildProcess): void;
