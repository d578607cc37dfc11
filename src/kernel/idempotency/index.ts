export { IdempotencyModule } from './idempotency.module';
export { IdempotencyStore } from './idempotency-store';
export { IdempotencyScope } from './idempotency.guard';
export { Idempotent } from './idempotent';
