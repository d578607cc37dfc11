import { z } from 'zod';
export declare const bashRequestSchema: z.ZodObject<{
    command: z.ZodString;
    cwd: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    timeout: z.ZodDefault<z.ZodNumber>;
}, z.core.$strip>;
export type BashRequest = z.infer<typeof bashRequestSchema>;
interface BashEventBase {
    readonly id: string;
    readonly timestamp: string;
}
export interface BashCommandEvent extends BashEventBase {
    readonly command: string;
    readonly cwd: string | null;
    readonly timeout: number;
    readonly kind: 'BashCommand';
}
export interface BashOutputEvent extends BashEventBase {
    readonly command_id: string;
    readonly order: number;
    readonly exit_code: number | null;
    readonly stdout: string | null;
    readonly stderr: string | null;
    readonly kind: 'BashOutput';
}
export type BashEvent = BashCommandEvent | BashOutputEvent;
/** Runs shell commands in the sandbox's folder and keeps what they put out. */
export declare class BashService {
    private readonly folder;
    private readonly events;
    private readonly subscribers;
    private readonly running;
    /** @param folder where commands run that name no other */
    constructor(folder: string);
    all(): readonly BashEvent[];
    clear(): number;
    /** @returns what ends it */
    subscribe(subscriber: (event: BashEvent) => void): () => void;
    /** Starts a command. @returns its event, and its last output once it has ended */
    start(request: BashRequest): {
        command: BashCommandEvent;
        done: Promise<BashOutputEvent>;
    };
    /** Kills what runs. */
    close(): void;
    private execute;
    private spawn;
    /** Follows a shell to its end, or ends it at its time limit. */
    private watchProcess;
    private publish;
}
export {};
