import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Erasure } from './erasure.entity';

/** What is written of an erasure elsewhere, in the transaction that ends it: it happens exactly once. */
@Injectable()
export class ErasureRecord {
  erased(_transaction: EntityManager, _erasure: Erasure): Promise<void> {
    return Promise.resolve();
  }
}
