/**
 * The advisory locks of the service, each with a number of its own, so that waiting for one never means waiting
 * for another. Functions of the migrations use `counts`.
 */
export declare const ADVISORY_LOCKS: {
    /** Held by the replica that is migrating. */
    readonly migration: 7246001;
    /** Held while the counters of conversations are folded or rebuilt. */
    readonly counts: 7246002;
    /** Held by a transaction that adds a running sandbox, until it ends. */
    readonly capacity: 7246003;
    /** Held by the replica that is looking for dead workers. */
    readonly deadWorkers: 7246004;
    /** Held while the first user is created, since replicas may start together. */
    readonly bootstrap: 7246005;
    /** Held by the transaction that gives domain events their positions. */
    readonly positions: 7246006;
};
