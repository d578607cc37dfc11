export { IdempotencyModule } from './idempotency.module';
export { IdempotencyScope } from './idempotency.guard';
export { Idempotent } from './idempotent';
