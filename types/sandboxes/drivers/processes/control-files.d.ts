import { z } from 'zod';
import type { Settings } from '../../../config';
import type { SandboxUser } from '../firewall/host-firewall';
import type { LogLimit } from '../../record/sandbox-driver';
declare const controlSchema: z.ZodObject<{
    pid: z.ZodNullable<z.ZodNumber>;
    start: z.ZodNullable<z.ZodString>;
    space: z.ZodString;
    host: z.ZodOptional<z.ZodString>;
    port: z.ZodNumber;
    uid: z.ZodNullable<z.ZodNumber>;
    isolation: z.ZodOptional<z.ZodEnum<{
        none: "none";
        user: "user";
        confined: "confined";
    }>>;
    isAhead: z.ZodDefault<z.ZodBoolean>;
    alias: z.ZodDefault<z.ZodNullable<z.ZodString>>;
}, z.core.$strip>;
/** What the host remembers of a sandbox's process. */
export type Control = Readonly<z.infer<typeof controlSchema>>;
/** Where the sandboxes of a driver are. */
export declare function sandboxesFolder(settings: Settings, driver: string): string;
/**
 * Records of processes, next to the sandboxes' folders and never inside: they decide which processes are ended,
 * so no sandbox may write them.
 */
export declare class ControlFiles {
    readonly folder: string;
    /** @param folder where the sandboxes of this host are */
    constructor(folder: string);
    /** The sandbox's own folder. */
    home(id: string): string;
    /** What its agent server writes to the terminal. */
    logFile(id: string): string;
    /** The end of what its agent server wrote to the terminal in its last run. */
    lastLogLines(id: string, limit: LogLimit): Promise<string[]>;
    limitLog(id: string): Promise<void>;
    read(id: string): Promise<Control | null>;
    write(id: string, control: Control): Promise<void>;
    /**
     * Makes what was started ahead that of a sandbox: folder, log and record. The processes go on, and find their folder
     * under its first name too.
     * @param control as recorded under the first name
     */
    give(alias: string, control: Control, id: string): Promise<void>;
    /** Removes folder, log and record, the record last. */
    remove(id: string, alias: string | null): Promise<void>;
    /** Ids of what was started ahead by a process that did not end it. */
    leftAhead(): Promise<string[]>;
    /** Ids of all sandboxes that have a folder or a record here. */
    ids(): Promise<string[]>;
    private file;
}
/** The users of all sandboxes in `DATA_DIR` that have one, whatever their driver. */
export declare function sandboxUsers(settings: Settings): Promise<SandboxUser[]>;
export {};
