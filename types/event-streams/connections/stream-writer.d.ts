import type { ServerResponse } from 'node:http';
/** What a writer tells, each once. */
export interface WriterEvents {
    /** The connection has ended. */
    readonly closed: () => void;
    /** The reader has taken nothing for so long that it counts as gone. */
    readonly still: () => void;
}
/** Writes the frames of one stream, and knows how far its reader lags. */
export declare class StreamWriter {
    private readonly response;
    private written;
    /** Where the frames end that wait, in bytes written; empty while nothing waits. */
    private ends;
    /** Frames of one turn of the event loop go out when it ends: until then they say nothing of the reader. */
    private hasWrittenThisTurn;
    private isEnded;
    private resume;
    constructor(response: ServerResponse, { closed, still }: WriterEvents);
    /** Whether everything was handed over. */
    get isIdle(): boolean;
    /** Sends status and headers. */
    begin(): void;
    /** @returns false when the reader lags too far: nothing is written then */
    write(frame: Buffer | string): boolean;
    /** Writes a frame that shows that the connection is alive, unless something else does. */
    beat(frame: string): void;
    /** Resolves when there is room for more, or nobody to write to. */
    room(): Promise<void>;
    /** Writes the last frame, and closes the connection. */
    end(frame: string): void;
    private readonly endTurn;
    /** Bytes that wait behind the frame that is being written. */
    private lag;
}
