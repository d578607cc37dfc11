import { AppError, ServiceUnavailableError, appError } from '../../../kernel/common';

/** 404: no such sandbox, somebody else's, or (for a change) one that is gone; callers cannot distinguish them. */
export const SandboxNotFoundError = appError(404, 'sandbox_not_found', 'There is no such sandbox.');

/** 404: the installation does not offer this kind of sandbox. */
export const SandboxSpecNotFoundError = appError(
  404,
  'sandbox_spec_not_found',
  'This installation does not offer this sandbox spec.',
);

/** 429: as many sandboxes as allowed are not paused (docs/contract.md#sandbox-caps). */
export class ConcurrencyLimitReachedError extends AppError {
  /**
   * @param whose what the limit is of
   * @param retryAfterSeconds when one of them may have come to rest, if nobody does anything
   */
  constructor(limit: number, whose: 'organization' | 'installation', retryAfterSeconds: number) {
    super(
      429,
      'concurrency_limit_reached',
      `This ${whose} runs ${limit} sandboxes, as many as it may; pause or delete one first.`,
      { 'Retry-After': String(retryAfterSeconds) },
    );
  }
}

/** 409: the sandbox is being deleted. */
export const SandboxNotResumableError = appError(
  409,
  'sandbox_not_resumable',
  'The sandbox is being deleted and cannot be resumed.',
);

/** 409: the sandbox failed or is being deleted. */
export const SandboxNotPausableError = appError(
  409,
  'sandbox_not_pausable',
  'The sandbox does not run and cannot be paused.',
);

/** 403: the external agent server serves another organization (docs/contract.md#sandbox-drivers). */
export const DriverNotAvailableError = appError(
  403,
  'driver_not_available',
  'Sandboxes are not available to this organization.',
);

/** 503: whatever runs the sandbox does not answer. */
export class SandboxDriverUnavailableError extends ServiceUnavailableError {
  constructor() {
    super('What runs this sandbox does not answer at the moment.', 'sandbox_driver_unavailable', 5);
  }
}

/** 409: nobody can be shown what the agent server of the sandbox wrote (docs/contract.md#logs-of-a-sandbox). */
export const SandboxLogsUnavailableError = appError(
  409,
  'sandbox_logs_unavailable',
  'The agent server of this sandbox was not started by the service; whoever runs it has its logs.',
);

/** 503: the logs are on another host than the replica that was asked (docs/contract.md#logs-of-a-sandbox). */
export class SandboxLogsElsewhereError extends ServiceUnavailableError {
  constructor() {
    super(
      'The logs of this sandbox are on another host than the one that got this request; ask again.',
      'sandbox_logs_elsewhere',
      1,
    );
  }
}

/** Whose calls are counted together. */
export type CallScope = 'conversation' | 'sandbox' | 'user' | 'organization' | 'replica';

const AGENT_SERVERS: Readonly<Record<CallScope, string>> = {
  conversation: 'the agent server of this conversation',
  sandbox: 'the agent server of this sandbox',
  user: 'the agent servers of this user',
  organization: 'the agent servers of this organization',
  replica: 'agent servers',
};

/** 503: as many calls as may wait for the agent server already do (docs/contract.md#waiting-calls). */
export class TooManyWaitingCallsError extends ServiceUnavailableError {
  /** @param whose what the limit is of */
  constructor(whose: CallScope) {
    super(
      `Too many calls wait for ${AGENT_SERVERS[whose]} already; try again when some have ended.`,
      'agent_server_busy',
      5,
    );
  }
}

/** 409: the sandbox is there but does not run (docs/contract.md#send-message-errors). */
export class SandboxNotRunningError extends AppError {
  /** @param status the sandbox's status, or STOPPING while it is being paused or deleted */
  constructor(status: string, sandboxId: string) {
    super(409, 'sandbox_not_running', sentenceFor(status, sandboxId));
  }
}

/** 503: the sandbox failed (docs/contract.md#send-message-errors). */
export class SandboxFailedError extends ServiceUnavailableError {
  constructor() {
    super('The sandbox is in state ERROR; resume it to start it again.', 'sandbox_error', 10);
  }
}

function sentenceFor(status: string, sandboxId: string): string {
  if (status === 'PAUSED')
    return `The sandbox is PAUSED; resume it first with POST /api/v1/sandboxes/${sandboxId}/resume.`;
  if (status === 'STARTING') return 'The sandbox is STARTING; wait until it is RUNNING.';
  return `The sandbox is ${status}; wait until it has come to rest.`;
}
