import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/auth';
import { IdempotencyScope } from '../../../kernel/idempotency';
import { ConversationAccess } from './conversation-access';

/** The scope of an `Idempotency-Key` for one of the caller's conversations. */
@Injectable()
export class ConversationKeyScope extends IdempotencyScope {
  constructor(private readonly access: ConversationAccess) {
    super();
  }

  override async resourceOf(
    caller: Caller,
    params: Readonly<Record<string, string>>,
  ): Promise<readonly [string]> {
    return [(await this.access.owned(caller, params['conversation_id'] ?? '')).id];
  }
}
