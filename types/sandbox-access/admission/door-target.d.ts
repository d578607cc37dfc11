/** The target of a request to the door. */
export interface DoorTarget {
    /** The sandbox's id as spelled in the path. */
    readonly sandboxId: string;
    /** Path at the agent server, unchanged. */
    readonly path: string;
    /** Query for the agent server, unchanged except that the key is removed; with `?`, or empty. */
    readonly query: string;
    /** The value of `session_api_key` in the query. */
    readonly queryKey: string | null;
    /** Whether the path stays below the agent server's root, however it is decoded. */
    readonly isPassable: boolean;
}
/**
 * Reads the target of a request as the client sent it. It is decoded for checks only, and passed on unchanged.
 * @returns null for a target that is not below the door, such as one in absolute form
 */
export declare function doorTarget(url: string): DoorTarget | null;
