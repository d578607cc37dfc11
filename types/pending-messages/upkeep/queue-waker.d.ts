import { DataSource, type EntityManager } from 'typeorm';
import { ConversationQueue } from '../../conversations';
import { type DomainEventOf } from '../../domain-events';
import { RunWaits } from '../after-run/run-waits';
import { JobQueue } from '../../jobs';
/** Resumes delivery when a sandbox runs again or an agent has ended its run, and closes the queues of deleted sandboxes. */
export declare class QueueWaker {
    private readonly database;
    private readonly jobs;
    private readonly queues;
    private readonly waits;
    constructor(database: DataSource, jobs: JobQueue, queues: ConversationQueue, waits: RunWaits);
    followSandbox({ sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>, transaction: EntityManager): Promise<void>;
    /** What waits for the end of a run looks again; the run that asks the agent server meanwhile does so before it pauses. */
    followAgent({ conversation_id, execution_status }: DomainEventOf<'conversation.status_changed'>, transaction: EntityManager): Promise<void>;
    /**
     * A message whose outcome is unknown keeps its settling time; everything else need not wait any longer. Empty queues are
     * locked too: a concurrent enqueue waits for the lock, and then finds the sandbox running.
     */
    private wake;
    private close;
    /**
     * The messages of a former member fail (docs/contract.md#member-rules), which the delivery runs themselves
     * see to. The name of its jobs is that of releases without domain events, whose stored jobs it still runs.
     */
    wakeQueuesOfMember({ org_id: orgId, user_id: userId, }: DomainEventOf<'member.removed'>): Promise<void>;
}
