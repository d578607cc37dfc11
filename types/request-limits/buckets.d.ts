import type { Settings } from '../config';
/** What is counted together. What one bucket has used up does not count in another (docs/contract.md#request-limits). */
export declare const BUCKETS: readonly ["reads", "sends", "lifecycle", "webhooks", "door", "public", "failed"];
export type Bucket = (typeof BUCKETS)[number];
/** Metadata key of a route's declared bucket; `null` for a route without limits. */
export declare const DECLARED_BUCKET = "ocs:request-bucket";
/** How many requests of one key, sandbox or address a minute may have; 0 for any number. */
export declare function limitOf(bucket: Bucket, settings: Settings): number;
