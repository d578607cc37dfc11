import type { EntityManager } from 'typeorm';
import { ConversationReports } from '../../conversations';
import { type DomainEventOf } from '../../domain-events';
import { JobQueue } from '../../jobs';
/** Has the missing events of conversations read when their sandbox runs again. */
export declare class BackfillOnRunning {
    private readonly conversations;
    private readonly jobs;
    constructor(conversations: ConversationReports, jobs: JobQueue);
    scheduleOnceRunning({ sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>, transaction: EntityManager): Promise<void>;
}
