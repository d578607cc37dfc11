import type { EntityManager, EntityMetadata } from 'typeorm';
import { DomainEvents } from '../../domain-events';
/** A change of one conversation's record. */
export interface RecordChange {
    readonly conversationId: string;
    /** Whether its start state or execution status may be another one afterwards. */
    readonly mayChangeStatus: boolean;
    readonly run: () => Promise<void>;
}
/**
 * Runs a change of one conversation's record and publishes what it changed, `conversation.status_changed` and
 * `conversation.updated`. The record is read before and after only when somebody listens to what may change.
 */
export declare function publishChanges(events: DomainEvents, transaction: EntityManager, { conversationId, mayChangeStatus, run }: RecordChange): Promise<void>;
/** The names of those columns, of the given properties, that have another value after a change. */
export declare function changedColumns(metadata: EntityMetadata, properties: readonly string[], before: object, after: object): string[];
