import { z } from 'zod';
import { StartError } from '../../common';
/** What a data folder is locked for: the service, or a command that needs the database briefly. */
export type Purpose = 'service' | 'command';
declare const holderSchema: z.ZodObject<{
    pid: z.ZodNumber;
    start: z.ZodString;
    space: z.ZodString;
    purpose: z.ZodEnum<{
        command: "command";
        service: "service";
    }>;
}, z.core.$strip>;
/** The process that has locked a data folder. */
export type Holder = z.infer<typeof holderSchema>;
/** The folder is locked by another process that is alive. */
export declare class DataDirInUseError extends StartError {
    constructor(dataDir: string, holder: Holder);
}
/**
 * Locks `DATA_DIR` for one process. The lock file names its holder by pid and start time, so the lock ends with the
 * process, even after `kill -9`. A holder that this process cannot see (in another container on the same volume)
 * counts as alive while its heartbeats touch the file.
 */
export declare class DataDirLock {
    private readonly file;
    private readonly heartbeat;
    private readonly onExit;
    private constructor();
    /**
     * Waits while a command holds the lock, but not while another service does.
     * @throws DataDirInUseError
     */
    static take(dataDir: string, purpose: Purpose): Promise<DataDirLock>;
    /** Removes the lock. */
    release(): Promise<void>;
}
/** The living process that has locked the folder, or null. */
export declare function holderOf(dataDir: string): Promise<Holder | null>;
export {};
