/**
 * The advisory locks of the service, each with a number of its own: who waits for one must not wait for what
 * another is held for. Functions of the migrations use `counts`.
 */
export const ADVISORY_LOCKS = {
  /** Held by the replica that migrates. */
  migration: 7_246_001,
  /** Held by who folds or rebuilds the counters of conversations. */
  counts: 7_246_002,
  /** Held by who adds a running sandbox, until its transaction ends. */
  capacity: 7_246_003,
  /** Held by the replica that looks for dead workers at that moment. */
  deadWorkers: 7_246_004,
  /** Replicas that start together wait for each other here. */
  bootstrap: 7_246_005,
} as const;
