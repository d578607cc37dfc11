import type { Caller } from '../../auth';
import { IdempotencyScope } from '../../idempotency';
import { QueueRefs } from './queue-ref';
/**
 * The scope of an `Idempotency-Key` for a queue. The conversation may be started between a request and its
 * repetition: the id of a conversation to come is that of the conversation.
 */
export declare class QueueKeyScope extends IdempotencyScope {
    private readonly refs;
    constructor(refs: QueueRefs);
    resourceOf(caller: Caller, params: Readonly<Record<string, string>>): Promise<readonly [string, string]>;
}
