import type { Caller } from '../../auth';
import { IdempotencyScope } from '../../idempotency';
import { ConversationAccess } from './conversation-access';
/** The scope of an `Idempotency-Key` for one of the caller's conversations. */
export declare class ConversationKeyScope extends IdempotencyScope {
    private readonly access;
    constructor(access: ConversationAccess);
    resourceOf(caller: Caller, params: Readonly<Record<string, string>>): Promise<readonly [string]>;
}
