/**
 * The advisory locks of the service, each with a number of its own, so that waiting for one never means waiting
 * for another. Functions of the migrations use `counts` and `usage`.
 */
export const ADVISORY_LOCKS = {
  /** Held by the replica that is migrating. */
  migration: 7_246_001,
  /** Held while the counters of conversations are folded or rebuilt. */
  counts: 7_246_002,
  /** Held by a transaction that adds a running sandbox, until it ends. */
  capacity: 7_246_003,
  /** Held by the replica that is looking for dead workers. */
  deadWorkers: 7_246_004,
  /** Held while the first user is created, since replicas may start together. */
  bootstrap: 7_246_005,
  /** Held by the transaction that gives domain events their positions. */
  positions: 7_246_006,
  /** Held while usage is added up: apart from `counts`, so that neither work keeps the other from its turn. */
  usage: 7_246_007,
  /** Held while the ends of the chains of the audit log are sealed. */
  auditSeals: 7_246_020,
} as const;
