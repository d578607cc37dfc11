/**
 * A user for one sandbox, unknown to the system and to the other sandboxes.
 * @param taken users of other sandboxes
 * @throws DriverError
 */
export declare function newUser(taken: ReadonlySet<number>): Promise<number>;
/** The users that have processes. Linux only. */
export declare function usersOfProcesses(): Promise<Set<number>>;
/**
 * Ends every process of a sandbox's user, whatever session or group it created, and those that they start meanwhile.
 * Linux only.
 * @returns false when some are left at the time-out
 */
export declare function endProcessesOf(uid: number): Promise<boolean>;
/** How many files and sockets the processes of other users have open, by user; a shared one counts for each. */
export declare function openFilesByUser(): Promise<Map<number, number>>;
/** Changes the owner recursively; skips symlinks and files with several hard links. */
export declare function giveTo(uid: number, folder: string): Promise<void>;
