import type { Extension, ExtensionModule } from './extensions';
/** What a program adds to the service. */
export interface RunOptions {
    /** Besides those that `EXTENSIONS` names (docs/extending.md). */
    readonly extensions?: readonly (Extension | ExtensionModule)[];
}
/**
 * Runs the service as the process it is called in: reads the settings from the environment, starts, says where it
 * listens, and ends the process with everything that was started, at the first SIGINT or SIGTERM or when the service
 * cannot go on. A start that fails is one sentence on standard error, and exit code 1.
 */
export declare function runService(options?: RunOptions): Promise<void>;
