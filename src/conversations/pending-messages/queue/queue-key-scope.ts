import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/auth';
import { IdempotencyScope } from '../../../kernel/idempotency';
import { QueueRefs } from './queue-ref';

/**
 * The scope of an `Idempotency-Key` for a queue. The conversation may be started between a request and its
 * repetition: the id of a conversation to come is that of the conversation.
 */
@Injectable()
export class QueueKeyScope extends IdempotencyScope {
  constructor(private readonly refs: QueueRefs) {
    super();
  }

  override async resourceOf(
    caller: Caller,
    params: Readonly<Record<string, string>>,
  ): Promise<readonly [string, ...string[]]> {
    const ref = await this.refs.find(caller, params['conversation_id'] ?? '');
    if (ref.kind === 'conversation') return [ref.conversationId, earlyId(ref.orgId, ref.conversationId)];
    return [earlyId(ref.orgId, ref.key)];
  }
}

function earlyId(orgId: string, key: string): string {
  return `${orgId}:${key}`;
}
