import type { ClusterApi } from './cluster-api';
/** What a watch is of, and what is done with it. */
export interface Watched<Kept> {
    readonly path: string;
    readonly labelSelector?: string;
    /** What is kept of an object; null for one that is none of ours. */
    readonly read: (object: unknown) => Kept | null;
    /** All that there are, at the beginning and whenever what happened meanwhile is not known. */
    readonly replaced: (all: readonly Kept[]) => void;
    readonly changed: (object: Kept) => void;
    readonly removed: (object: Kept) => void;
    /** Once for each failure in a row of them; null when it works again. */
    readonly troubled: (error: Error | null) => void;
}
/**
 * Follows objects of the cluster: one list, and from then on a watch that goes on where the last one ended. Only where the
 * cluster does not know that point any more (410) everything is listed again.
 */
export declare class ObjectWatch<Kept> {
    private readonly api;
    private readonly watched;
    /** When everything was listed for the first time. */
    readonly synced: Promise<void>;
    private readonly stopping;
    private markSynced;
    private isTroubled;
    /** Since something came of a watch. */
    private failures;
    constructor(api: ClusterApi, watched: Watched<Kept>);
    stop(): void;
    private isStopped;
    private run;
    private list;
    /** @returns where the next watch begins */
    private follow;
    /** @returns the version that the cluster is at with this event */
    private take;
    private keep;
    private fails;
    private works;
    private pause;
    private selector;
}
