import { PreparedStatement, Statement } from '../../../database';
/** A delivery with its endpoint; the columns of what is missing are null. */
export interface HeadColumns {
    readonly id: string | null;
    readonly type: string;
    readonly data: string;
    readonly occurred_at: Date;
    readonly conversation_id: string | null;
    readonly failures: number;
    readonly is_expired: boolean;
    readonly url: string;
    readonly sealed_secret: string;
    /** While both are valid. */
    readonly sealed_previous_secret: string | null;
}
export interface TakenLane extends HeadColumns {
    readonly webhook_id: string;
    readonly lane: string;
    readonly fence: string;
}
/**
 * Takes lanes that are due, of enabled endpoints ($1) at most so many each ($2), for $3 milliseconds. What another
 * worker is writing to is left out.
 */
export declare const TAKE_LANES: PreparedStatement<TakenLane>;
/** What has become of a lane that was settled. */
export interface SettledLane extends HeadColumns {
    readonly webhook_id: string;
    /** Of the lease that it was settled with. */
    readonly fence: string;
    /**
     * `lost`: another worker has it; `paused`: its head is tried again later; `next`: the columns are of its new head;
     * `ended`: nothing is pending; `again`: something has come meanwhile that has to be read.
     */
    readonly outcome: 'lost' | 'paused' | 'next' | 'ended' | 'again';
    /** What has become of the delivery; null when there was none, or it was no longer pending. */
    readonly state: 'delivered' | 'failed' | 'pending' | null;
    /** The first failure since the last success, before this. */
    readonly failing_since: Date | null;
    /** It has only failed for longer than an endpoint may. */
    readonly is_failing: boolean;
}
/**
 * Records what came of deliveries ($1, JSON; without an id a lane is only read), and reads what comes next in each lane.
 * Has no effect on a lane that another worker took. $2 is how long an endpoint may only fail.
 *
 * A lane without anything pending is removed. That nothing was added since this statement began is shown by the counter
 * of additions: `seen` reads it together with the deliveries, and the removal finds the row as it is then. A lane that pauses
 * loses its fence: a renewal that is on its way must not cut the pause short.
 */
export declare const SETTLE_LANES: PreparedStatement<SettledLane>;
/** Renews the leases of lanes ($1, $2) by their fences ($3) for $4 milliseconds; one that is locked is left out. */
export declare const RENEW_LANES: Statement<{
    readonly fence: string;
}>;
/** Gives lanes ($1, $2) back that have these fences ($3), to be taken after $4 milliseconds. */
export declare const GIVE_LANES_BACK: Statement<object>;
/** Endpoints with lanes that are due, however many lanes they have: from one endpoint to the next by the index. */
export declare const DUE_WEBHOOKS: PreparedStatement<{
    readonly webhook_id: string;
}>;
