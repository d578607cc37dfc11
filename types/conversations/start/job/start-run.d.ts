import type { RunningJob } from '../../../jobs';
import type { StartTask } from '../../start-tasks/start-task.entity';
import type { StartTaskLease } from '../../start-tasks/start-task.repository';
import type { StoredStartRequest } from '../request/stored-request';
/** One run of the start job on one task. */
export interface StartRun {
    readonly task: StartTask;
    readonly request: StoredStartRequest;
    readonly job: RunningJob;
}
/** A run's right to write to its task. */
export declare function leaseOf({ task, job }: Pick<StartRun, 'task' | 'job'>): StartTaskLease;
