import { cutText } from '../../../../kernel/common';
import type { Decision } from '../../record/sandbox-store';
import { MAX_STATUS_DETAIL, type Sandbox } from '../../record/sandbox.entity';

/** How long pausing and deleting may take before they count as failed. */
const STOP_SECONDS = 60;

/** True for a sandbox that is stopped, or being stopped, and can be started again. */
export function isResumable({ status, stopping }: Sandbox): boolean {
  return stopping !== 'delete' && (status === 'PAUSED' || status === 'ERROR');
}

/** True for a sandbox that is paused, or is being paused. */
export function isPaused({ status, stopping }: Sandbox): boolean {
  return stopping !== 'delete' && status === 'PAUSED';
}

/** True for a sandbox that runs or starts, and was not asked to stop. */
export function isActive({ status, stopping }: Sandbox): boolean {
  return stopping === null && (status === 'RUNNING' || status === 'STARTING');
}

/** Starts a sandbox, or starts it again. */
export function start(now: Date, startSeconds: number): NonNullable<Decision> {
  return {
    set: {
      status: 'STARTING',
      stopping: null,
      statusDetail: null,
      launched: false,
      resumesWithHost: false,
      unansweredSince: null,
      deadlineAt: after(now, startSeconds),
    },
    reconcileInMs: 0,
  };
}

/** As {@link start}, of one whose process runs already: it only has to answer. */
export function adopt(now: Date, startSeconds: number): NonNullable<Decision> {
  const { set, ...rest } = start(now, startSeconds);
  return { ...rest, set: { ...set, launched: true } };
}

/** Pauses what runs or starts; null for others. */
export function pause(sandbox: Sandbox, now: Date): Decision {
  if (!isActive(sandbox)) return null;
  return {
    set: { status: 'PAUSED', stopping: 'pause', launched: false, deadlineAt: after(now, STOP_SECONDS) },
    reconcileInMs: 0,
  };
}

/** Deletes a sandbox that is not deleted, nor about to be. */
export function remove({ status, stopping }: Sandbox, now: Date): Decision {
  if (status === 'MISSING' || stopping === 'delete') return null;
  return {
    set: { status: 'PAUSED', stopping: 'delete', launched: false, deadlineAt: after(now, STOP_SECONDS) },
    reconcileInMs: 0,
  };
}

/** The columns of a sandbox that is gone: its key is no longer valid. */
export function missing(statusDetail: string): Partial<Sandbox> {
  return {
    status: 'MISSING',
    statusDetail: cutText(statusDetail, MAX_STATUS_DETAIL),
    stopping: null,
    deadlineAt: null,
    unansweredSince: null,
    sealedSessionKey: null,
    sessionKeyDigest: null,
    baseUrl: null,
    port: null,
  };
}

/** The columns of a sandbox that failed and can be started again. */
export function failed(statusDetail: string): Partial<Sandbox> {
  return {
    status: 'ERROR',
    statusDetail: cutText(statusDetail, MAX_STATUS_DETAIL),
    stopping: null,
    deadlineAt: null,
    unansweredSince: null,
  };
}

/** Ends a stop or start that never completed: ERROR, or MISSING where it was to be deleted. */
export function giveUp(sandbox: Sandbox, detail: { deleted: string; failed: string }): Decision {
  return sandbox.stopping === 'delete'
    ? { leftover: true, set: missing(detail.deleted) }
    : { set: failed(detail.failed) };
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
