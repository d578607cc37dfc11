import type { EntityManager } from 'typeorm';
import { JobQueue } from '../../jobs';
/** Queues whose first message waits for the end of a run (docs/contract.md#message-modes). */
export declare class RunWaits {
    private readonly jobs;
    constructor(jobs: JobQueue);
    /**
     * Locks a queue if its first message waits for the end of a run; to be called before anything of its messages is
     * locked.
     * @returns its id, or nothing
     */
    lockOf(transaction: EntityManager, queue: {
        readonly queueId: string;
    } | {
        readonly conversationId: string;
    }): Promise<string[]>;
    /** Has the queues that {@link lockOf} found looked at again once the transaction commits. */
    wake(transaction: EntityManager, queueIds: readonly string[]): Promise<void>;
}
