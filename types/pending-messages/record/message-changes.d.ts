import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../domain-events';
/** Publishes what has become of messages, in the transaction that changed them; reads nothing if nobody listens. */
export declare function publishMessages(events: DomainEvents, transaction: EntityManager, kind: 'message.queued' | 'message.delivered' | 'message.failed', ids: readonly string[]): Promise<void>;
