/**
 * Watches the size of a folder while a fetch fills it; bytes on the network may be compressed, so counting those
 * is not enough.
 * @param onTooLarge called once
 * @param done stops watching
 */
export declare function watchFolderSize(folder: string, maxBytes: number, onTooLarge: () => void, done: AbortSignal): Promise<void>;
/** The size of a folder's files; counting stops beyond `maxBytes`. */
export declare function folderSize(folder: string, maxBytes: number): Promise<number>;
