import type { EntityManager } from 'typeorm';
import { type DomainEventOf } from '../../../domain-events';
import { JobQueue } from '../../../jobs';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
/** Has the starts that wait for a sandbox go on as soon as it changes. */
export declare class StartOnSandboxChange {
    private readonly tasks;
    private readonly jobs;
    constructor(tasks: StartTaskRepository, jobs: JobQueue);
    followSandbox({ sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>, transaction: EntityManager): Promise<void>;
}
