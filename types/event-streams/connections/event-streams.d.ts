import type { Response } from 'express';
import type { Tails } from '../tails/tails';
import { OpenStreams, type StreamHolder } from './open-streams';
/** What a client asks for. */
export interface StreamWish {
    readonly tails: Tails;
    /** Of the conversation or the organization. */
    readonly id: string;
    /** Null for all kinds. */
    readonly kinds: ReadonlySet<string> | null;
    /** The position that the client has already; null to begin with what comes next. */
    readonly after: number | null;
}
/** Begins streams (docs/streams.md). */
export declare class EventStreams {
    private readonly open;
    constructor(open: OpenStreams);
    /**
     * Begins a stream, which goes on after this returns.
     * @throws TooManyStreamsError, ServiceStoppingError, UnknownPositionError; nothing was sent then
     */
    begin(holder: StreamHolder, wish: StreamWish, response: Response): Promise<void>;
}
