/**
 * Tracks the frames of one direction of a WebSocket (RFC 6455, 5.2) without reading or buffering their payload, to find
 * boundaries where the service may insert a frame, and the close frame.
 */
export declare class FrameScan {
    /** Whether a data frame has begun since this was last set to false. */
    sawData: boolean;
    private readonly header;
    private headerBytes;
    private payloadLeft;
    /** Whether the bytes so far end at a frame boundary. */
    get isBetweenFrames(): boolean;
    /**
     * Advances to the end of the chunk, or to the start of a close frame.
     * @returns the bytes before that; all of them without a close frame
     */
    advance(chunk: Buffer): number;
    private readHeader;
}
