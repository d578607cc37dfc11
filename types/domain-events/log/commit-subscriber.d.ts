import { DataSource, type EntitySubscriberInterface } from 'typeorm';
import { DomainEventLog } from './domain-event-log';
/** Notices commits: what was logged before them can be read from then on. */
export declare class CommitSubscriber implements EntitySubscriberInterface {
    private readonly log;
    constructor(database: DataSource, log: DomainEventLog);
    afterTransactionCommit(): void;
}
