/** The `Sec-WebSocket-Accept` for a handshake's key. */
export declare function acceptOf(key: string): string;
/** A new key for a handshake. */
export declare function newHandshakeKey(): string;
/** A ping frame for a client. */
export declare const PING_TO_CLIENT: Buffer<ArrayBuffer>;
/** A ping frame for a server, masked. */
export declare function pingToServer(): Buffer;
/** A close frame for a client. */
export declare function closeToClient(code: number, reason: string): Buffer;
/** A close frame for a server, masked. */
export declare function closeToServer(code: number, reason: string): Buffer;
/**
 * The first text that a client sent, compressed or not, where it has come whole.
 * @param longest a longer text is none
 * @returns the text and how many bytes it took; `incomplete` while more has to come; null for anything else
 */
export declare function firstText(bytes: Buffer, longest: number): {
    text: string;
    end: number;
} | 'incomplete' | null;
/** Where the frames of a client end that are pings and answers to them, before its first message. */
export declare function controlFramesEnd(bytes: Buffer): number;
/** Whether a server's close frame is complete. */
export declare function isWholeClose(bytes: Buffer): boolean;
