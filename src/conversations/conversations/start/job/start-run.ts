import type { Person } from '../../../../kernel/common';
import type { RunningJob } from '../../../../kernel/jobs';
import type { SandboxView } from '../../../../sandboxes/sandboxes';
import type { StartTask } from '../../start-tasks/start-task.entity';
import type { FencedStartTask } from '../../start-tasks/start-task.repository';
import type { StoredStartRequest } from '../request/stored-request';

/** One run of the start job on one task. */
export interface StartRun {
  readonly task: StartTask;
  readonly request: StoredStartRequest;
  readonly job: RunningJob;
}

/** A run's right to write to its task. */
export function fencedTask({ task, job }: Pick<StartRun, 'task' | 'job'>): FencedStartTask {
  return { taskId: task.id, fence: job.lease.fence };
}

/** The user for whom a conversation starts in a sandbox, which decides what of their data may enter it. */
export function creatorOf(
  { createdByUserId, orgId }: Pick<StartTask, 'createdByUserId' | 'orgId'>,
  { byLink }: Pick<SandboxView, 'byLink'>,
): Person {
  return { userId: createdByUserId, orgId, byLink };
}
