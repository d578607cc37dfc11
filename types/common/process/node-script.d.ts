/** A script to run in a worker thread or a child process, and the Node options it needs. */
export interface NodeScript {
    readonly path: string;
    readonly execArgv: readonly string[];
}
/**
 * Finds the script `name` in a folder: the compiled one, or, where the service runs from its sources, as benchmarks
 * run it, the source with a hook that compiles it.
 */
export declare function findNodeScript(folder: string, name: string): NodeScript;
