import type { Settings } from '../config';
import { SetMetadata } from '@nestjs/common';

/** What is counted together. What one bucket has used up does not count in another (docs/contract.md#request-limits). */
export const BUCKETS = [
  'reads',
  'sends',
  'lifecycle',
  'webhooks',
  'door',
  'public',
  'probes',
  'failed',
] as const;

export type Bucket = (typeof BUCKETS)[number];

/** Metadata key of a route's declared bucket; `null` for a route without limits. */
export const DECLARED_BUCKET = 'ocs:request-bucket';

const SETTINGS_OF = {
  reads: 'READ_CALLS_PER_MINUTE',
  sends: 'SEND_CALLS_PER_MINUTE',
  lifecycle: 'LIFECYCLE_CALLS_PER_MINUTE',
  webhooks: 'WEBHOOK_CALLS_PER_MINUTE',
  door: 'DOOR_CALLS_PER_MINUTE',
  public: 'PUBLIC_CALLS_PER_MINUTE',
  probes: 'PROBE_CALLS_PER_MINUTE',
  failed: 'FAILED_CREDENTIALS_PER_MINUTE',
} as const satisfies Record<Bucket, keyof Settings>;

/** How many requests of one key, sandbox or address a minute may have; 0 for any number. */
export function limitOf(bucket: Bucket, settings: Settings): number {
  return settings[SETTINGS_OF[bucket]];
}

/**
 * Counts the calls of a route in a bucket other than the one its method and access imply.
 * @param bucket null for a route that is not limited, such as a probe
 */
export function LimitedAs(bucket: Bucket | null): MethodDecorator & ClassDecorator {
  return SetMetadata(DECLARED_BUCKET, bucket);
}
