import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth';
import { IdempotencyScope } from '../idempotency';
import { QueueAddresses } from './queue-address';

/** An `Idempotency-Key` beside a queue: one for a conversation to come is the caller's alone. */
@Injectable()
export class QueueKeyScope extends IdempotencyScope {
  constructor(private readonly addresses: QueueAddresses) {
    super();
  }

  override async organizationOf(caller: Caller, params: Readonly<Record<string, string>>): Promise<string> {
    const address = await this.addresses.find(caller, params['conversation_id'] ?? '');
    return address.kind === 'conversation' ? address.orgId : '';
  }
}
