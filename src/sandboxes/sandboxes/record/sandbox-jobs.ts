import { hostBound, type NewJob } from '../../../kernel/jobs';

/** Name of the job that brings a sandbox to its desired state, as the database has it. */
export const RECONCILE = 'sandbox-drive';

/**
 * That job for one sandbox; it waits in one copy only.
 * @param runAt default: at once
 */
export function reconcileJob(sandbox: { id: string; hostId: string | null }, runAt?: Date): NewJob {
  return {
    name: sandbox.hostId === null ? RECONCILE : hostBound(RECONCILE, sandbox.hostId),
    payload: { id: sandbox.id },
    key: `sandbox:${sandbox.id}`,
    ...(runAt !== undefined && { runAt }),
  };
}
