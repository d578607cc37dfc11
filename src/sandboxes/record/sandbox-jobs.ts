import { hostBound, type NewJob } from '../../jobs';

/** Name of the job that brings a sandbox to where it should be. */
export const DRIVE = 'sandbox-drive';

/** That job for one sandbox; it waits in one copy only. */
export function reconcileJob(sandbox: { id: string; hostId: string | null }, inMs = 0): NewJob {
  return {
    name: sandbox.hostId === null ? DRIVE : hostBound(DRIVE, sandbox.hostId),
    payload: { id: sandbox.id },
    key: `sandbox:${sandbox.id}`,
    ...(inMs === 0 ? {} : { runAt: new Date(Date.now() + inMs) }),
  };
}
