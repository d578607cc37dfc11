export { IdempotencyModule } from './idempotency.module';
export { IdempotencyScope } from './idempotency-rules';
export { Idempotent } from './idempotent';
