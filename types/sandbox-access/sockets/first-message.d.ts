import type { Socket } from 'node:net';
/**
 * Reads the key from the first message of a WebSocket, `{"type": "auth", "session_api_key": …}`, and leaves the bytes
 * after it unread.
 * @param stopped ends the wait
 * @returns null for another message, or none in time
 */
export declare function firstMessageKey(socket: Socket, stopped: AbortSignal): Promise<string | null>;
/**
 * Takes a key out of the first message of a caller who has shown one already: some repeat it there, and it is for the
 * service alone. Also a compressed one, which what follows does not refer to (see `negotiated`).
 */
export declare class RepeatedKey {
    private held;
    /** @returns the bytes to pass on; none while they may be the beginning of a key */
    without(chunk: Buffer): Buffer;
}
