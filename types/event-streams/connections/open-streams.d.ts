import { type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Grant } from '../../auth';
import type { EndReason } from '../sources/frames';
export declare const STREAM_KINDS: readonly ["conversation", "organization"];
export type StreamKind = (typeof STREAM_KINDS)[number];
/** Who reads what. */
export interface StreamHolder extends Grant {
    readonly keyId: number;
    readonly kind: StreamKind;
    /** The conversation, while it is one's stream. */
    readonly conversationId: string | null;
}
/** Why streams end: for a reason of the service, or because the client closed it. */
export type StreamEnd = EndReason | 'client';
/** What is done with an open stream. */
export interface HeldStream {
    end(reason: EndReason): void;
    beat(): void;
}
/** Counts, limits and ends the streams of this process, and keeps them alive. */
export declare class OpenStreams implements OnModuleInit, OnModuleDestroy {
    readonly ends: Map<string, {
        kind: StreamKind;
        reason: StreamEnd;
        count: number;
    }>;
    readonly sent: Record<StreamKind, number>;
    private readonly all;
    private readonly ofKey;
    private readonly reads;
    private readonly large;
    private readonly hearers;
    private opened;
    private beats;
    private isStopping;
    private timer;
    onModuleInit(): void;
    onModuleDestroy(): void;
    /** Calls back when there is a stream after there was none. */
    onFirst(hear: () => void): void;
    /**
     * Reserves a place for a stream that is about to begin; it must be freed again.
     * @throws TooManyStreamsError, ServiceStoppingError
     */
    take(holder: StreamHolder): StreamPlace;
    /** Called by a place that is freed. */
    remove(place: StreamPlace): void;
    /** Called by a place whose stream has ended. */
    noteEnd(kind: StreamKind, reason: StreamEnd): void;
    /** All open streams. */
    places(): readonly StreamPlace[];
    /** The number of open streams, of one kind or of both. */
    count(kind?: StreamKind): number;
    /** Has something done when few enough do the same. */
    inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
    /**
     * Has a large event read and handed over when few enough others are, and those of the user not at once.
     * @param overdue called when that takes too long
     * @throws TooManyLargeResponsesError when its turn does not come
     */
    inTurnForLarge(userId: string, work: () => Promise<unknown>, overdue: () => void): Promise<void>;
    /** Ends all of them, because the service does; readers are told when to come back. */
    stop(): void;
    private beat;
}
/** A place among the open streams; its stream is attached a little later. */
export declare class StreamPlace {
    private readonly streams;
    readonly holder: StreamHolder;
    /** The second in which it gets its heartbeats. */
    readonly turn: number;
    private stream;
    private reason;
    constructor(streams: OpenStreams, holder: StreamHolder, 
    /** The second in which it gets its heartbeats. */
    turn: number);
    /** Attaches the stream. */
    hold(stream: HeldStream): void;
    /** What the stream was ended for before it was attached. */
    get endedFor(): EndReason | undefined;
    end(reason: EndReason): void;
    beat(): void;
    inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
    inTurnForLarge(work: () => Promise<unknown>, overdue: () => void): Promise<void>;
    /** An event was sent. */
    sent(): void;
    /** The stream has ended. */
    ended(reason: StreamEnd): void;
    /** Frees the place. */
    free(): void;
}
