import { DataSource, type EntityManager } from 'typeorm';
import { type DomainEventOf } from '../../domain-events';
import { JobHandlers, JobQueue } from '../../jobs';
import { Mailer } from '../../mail';
/** Tells the owners of an organization when the service disables an endpoint, one job for each. */
export declare class OwnerMails {
    private readonly database;
    private readonly jobs;
    private readonly mailer;
    constructor(database: DataSource, jobs: JobQueue, mailer: Mailer, handlers: JobHandlers);
    queue({ org_id, webhook_id, reason }: DomainEventOf<'webhook.disabled'>, transaction: EntityManager): Promise<void>;
    private send;
}
