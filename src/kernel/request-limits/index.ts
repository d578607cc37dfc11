export { LimitedAs } from './limited-as';
export { DECLARED_BUCKET, type Bucket } from './buckets';
export { RequestLimitError, TooManyFailedCredentialsError } from './request-limits.errors';
export { RequestLimits } from './request-limits';
export { RequestLimitsModule } from './request-limits.module';
export { rateLimitHeaders, type RateLimitStatus } from './rate-limit-status';
