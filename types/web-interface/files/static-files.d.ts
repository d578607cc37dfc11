import type { Request, Response } from 'express';
/**
 * The files of a folder, listed when the service starts: a request path reaches the file system only if it is in that
 * list. Content stays on disk.
 */
export declare class StaticFiles {
    private readonly root;
    private readonly names;
    private constructor();
    /** Lists the files below a folder. */
    static below(root: string): Promise<StaticFiles>;
    /**
     * Sends the file of a request in the best encoding its client accepts, with support for ranges and conditional
     * requests.
     * @param path as in the request
     * @returns whether there is such a file
     */
    send(path: string, request: Request, response: Response): Promise<boolean>;
    private transfer;
}
