import type { Engine } from '../engine';
/**
 * What is put into a volume before each start, as an archive: the folders of its user, and the file with the
 * keys of its agent server, which the user can read and not replace.
 */
export declare function volumeFiles(keys: string, uid: number): Promise<NodeJS.ReadableStream>;
/** The key of an agent server that waits for others, as the file in its container has it. */
export declare function keysIn(engine: Engine, container: string): Promise<string>;
