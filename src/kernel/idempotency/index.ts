export { IdempotencyModule } from './idempotency.module';
export { IdempotencyScope } from './idempotency.interceptor';
export { Idempotent } from './idempotent';
