import { type OnModuleDestroy } from '@nestjs/common';
import { type AppError } from '../../common';
import { type Settings } from '../../config';
import type { Admission } from '../admission/admission';
export declare const KINDS: readonly ["http", "websocket"];
export type ConnectionKind = (typeof KINDS)[number];
/** The traffic of one open connection. */
export interface Passage {
    /** Bytes received from one side and not yet taken by the other. */
    heldBytes(): number;
    /** Ends it; the caller gets the reason where that is still possible. */
    end(reason: AppError): void;
    /** Pings both sides; closes the connection if one did not reply to the previous ping. */
    ping?(): void;
    /** Ends it where nothing has moved for as long as that may be. @param nowMs by `performance.now()` */
    endIfIdle?(nowMs: number): void;
}
/** Counts, ends and measures the open connections of one replica. */
export declare class OpenConnections implements OnModuleDestroy {
    private readonly settings;
    readonly bytes: {
        toSandbox: number;
        toCaller: number;
    };
    private readonly all;
    private readonly ofSandbox;
    private readonly ofUser;
    private isStopping;
    constructor(settings: Settings);
    /**
     * Reserves a place for a connection that is about to open; it must be freed again.
     * @throws TooManyDoorConnectionsError, TooManyDoorBytesError, ServiceStoppingError
     */
    take(admission: Admission, kind: ConnectionKind): Place;
    /** Called by a place that is freed. */
    remove(place: Place): void;
    /** All open connections. */
    places(): readonly Place[];
    /** The number of open connections of a kind. */
    count(kind: ConnectionKind): number;
    /** Ends what has not moved for too long. */
    endIdle(): void;
    /** Ends all WebSockets, because the service does; requests under way are given their time by others. */
    stop(): void;
    onModuleDestroy(): void;
    private assertFits;
}
/** A place among the open connections; its passage is attached a little later. */
export declare class Place {
    private readonly connections;
    readonly admission: Admission;
    readonly kind: ConnectionKind;
    private passage;
    private reason;
    constructor(connections: OpenConnections, admission: Admission, kind: ConnectionKind);
    /** Attaches the passage; ends it at once if the place was ended meanwhile. */
    hold(passage: Passage): void;
    heldBytes(): number;
    end(reason: AppError): void;
    ping(): void;
    endIfIdle(nowMs: number): void;
    countBytes(direction: keyof OpenConnections['bytes'], count: number): void;
    /** Frees the place. */
    free(): void;
}
