import { type Bucket } from './buckets';
/**
 * Counts the calls of a route in a bucket other than the one its method and access imply.
 * @param bucket null for a route that is not limited, such as a probe
 */
export declare function LimitedAs(bucket: Bucket | null): MethodDecorator & ClassDecorator;
