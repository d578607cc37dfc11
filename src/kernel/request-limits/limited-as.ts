import { SetMetadata } from '@nestjs/common';
import { type Bucket, DECLARED_BUCKET } from './buckets';

/**
 * Counts the calls of a route in a bucket other than the one its method and access imply.
 * @param bucket null for a route that is not limited, such as a probe
 */
export function LimitedAs(bucket: Bucket | null): MethodDecorator & ClassDecorator {
  return SetMetadata(DECLARED_BUCKET, bucket);
}
