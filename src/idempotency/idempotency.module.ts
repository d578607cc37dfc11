import { Global, Module } from '@nestjs/common';
import { IdempotencyStore } from './idempotency-store';

/** What operations with an `Idempotency-Key` share. */
@Global()
@Module({ providers: [IdempotencyStore], exports: [IdempotencyStore] })
export class IdempotencyModule {}
