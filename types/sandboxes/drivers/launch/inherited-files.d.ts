/**
 * The open files, above the standard three, that this process has from its parent and would hand on: Node opens its
 * own such that they are closed in the programs it runs. Linux only.
 */
export declare function inheritedFiles(): Promise<number[]>;
