import { DataSource } from 'typeorm';
import { Clock } from '../../../common';
import { type Settings } from '../../../config';
import { type TakenLane } from './lane.query';
import { LaneLease } from './lane-lease';
/** A lane that was taken, and what is at its head. */
export interface LeasedLane {
    readonly lease: LaneLease;
    readonly head: TakenLane;
}
/** Takes lanes for this process, and keeps them while it works on them. */
export declare class LaneLeases {
    private readonly database;
    private readonly clock;
    /** How long a lease lasts that is not renewed. */
    readonly lengthMs: number;
    private readonly logger;
    private readonly held;
    private isRenewing;
    constructor(database: DataSource, clock: Clock, settings: Settings);
    /** Takes lanes that are due, of each endpoint at most so many. */
    take(wanted: ReadonlyMap<string, number>): Promise<LeasedLane[]>;
    /** Endpoints with lanes that are due. */
    due(): Promise<string[]>;
    /** Stops renewing it. */
    end(lease: LaneLease): void;
    /** Renews all leases of this process, and ends those that have lapsed. */
    renewAll(): Promise<void>;
    /** Has somebody else go on with them after a time. */
    giveBack(leases: readonly LaneLease[], afterMs: number): Promise<void>;
    private renew;
}
