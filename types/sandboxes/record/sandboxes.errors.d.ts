import { AppError, ServiceUnavailableError } from '../../common';
/** 404: no such sandbox, somebody else's, or (for a change) one that is gone; callers cannot distinguish them. */
export declare class SandboxNotFoundError extends AppError {
    constructor();
}
/** 404: the installation does not offer this kind of sandbox. */
export declare class SandboxSpecNotFoundError extends AppError {
    constructor();
}
/** 429: as many sandboxes as allowed are not paused (docs/contract.md#sandbox-caps). */
export declare class ConcurrencyLimitReachedError extends AppError {
    /** @param whose what the limit is of */
    constructor(limit: number, whose: 'organization' | 'installation');
}
/** 409: the sandbox is being deleted. */
export declare class SandboxNotResumableError extends AppError {
    constructor();
}
/** 409: the sandbox failed or is being deleted. */
export declare class SandboxNotPausableError extends AppError {
    constructor();
}
/** 403: the external agent server serves another organization (docs/contract.md#sandbox-drivers). */
export declare class DriverNotAvailableError extends AppError {
    constructor();
}
/** 503: whatever runs the sandbox does not answer. */
export declare class SandboxDriverUnavailableError extends ServiceUnavailableError {
    constructor();
}
/** 409: nobody can be shown what the agent server of the sandbox wrote (docs/contract.md#logs-of-a-sandbox). */
export declare class SandboxLogsUnavailableError extends AppError {
    constructor();
}
/** 503: the logs are on another host than the replica that was asked (docs/contract.md#logs-of-a-sandbox). */
export declare class SandboxLogsElsewhereError extends ServiceUnavailableError {
    constructor();
}
/** 503: as many calls as may wait for the agent server already do (docs/contract.md#waiting-calls). */
export declare class TooManyWaitingCallsError extends ServiceUnavailableError {
    /** @param whose what the limit is of */
    constructor(whose: 'conversation' | 'sandbox');
}
/** 409: the sandbox is there but does not run (docs/contract.md#send-message-errors). */
export declare class SandboxNotRunningError extends AppError {
    /** @param status the sandbox's status, or STOPPING while it is being paused or deleted */
    constructor(status: string, sandboxId: string);
}
/** 503: the sandbox failed (docs/contract.md#send-message-errors). */
export declare class SandboxFailedError extends ServiceUnavailableError {
    constructor();
}
