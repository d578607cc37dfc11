export { LimitedAs } from './buckets';
export { DECLARED_BUCKET, type Bucket } from './buckets';
export {
  RequestLimitError,
  TooManyFailedCredentialsError,
  rateLimitHeaders,
  type RateLimitStatus,
  WindowCounts,
} from './window-counts';
export { RequestLimits } from './request-limits';
export { RequestLimitsModule } from './request-limits.module';
