import { z } from 'zod';
import type { Settings } from '../../config';
/**
 * What keeps the processes of sandboxes from the service and from one another (docs/sandboxes.md#isolation).
 *
 * - `user`: each has a user of its own.
 * - `confined`: they run as the user of the service, and offer neither commands nor files outside their folder.
 * - `none`: they run as the user of the service and may do what it may.
 */
export declare const isolationSchema: z.ZodEnum<{
    none: "none";
    user: "user";
    confined: "confined";
}>;
export type Isolation = z.infer<typeof isolationSchema>;
/** Whether this process may run others as users of their own. */
export declare function canHaveUsers(): boolean;
/**
 * Fails the start of a service whose sandboxes would isolate nothing although nobody said that this is fine.
 * @throws StartError
 */
export declare function checkSandboxIsolation(settings: Settings): void;
/** Whether sandboxes that may run without users of their own have all that the user of the service has. */
export declare function isolatesNothing({ SANDBOX_ISOLATION }: Settings): boolean;
/** What to do where sandboxes cannot have users of their own. */
export declare const NEEDS_ROOT: string;
/** The first folder on the way to one of the paths that other users cannot enter, or null. */
export declare function closedFolderOf(paths: readonly string[]): string | null;
/** Folders that a command with absolute paths needs. */
export declare function foldersOf(command: readonly string[]): string[];
