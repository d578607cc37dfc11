import type { SandboxStatus } from './sandbox.ports';
/** Most characters of a status detail; longer ones are cut. */
export declare const MAX_STATUS_DETAIL = 1000;
export declare class Sandbox {
    id: string;
    orgId: string;
    createdByUserId: string;
    driver: string;
    hostId: string | null;
    /** As callers see it: one that is being paused or deleted is PAUSED with `stopping`. */
    status: SandboxStatus;
    stopping: 'pause' | 'delete' | null;
    statusDetail: string | null;
    /** With STARTING: whether the driver has started it, so that an exit now belongs to this start. */
    launched: boolean;
    port: number | null;
    baseUrl: string | null;
    listenerUid: number | null;
    /** Null until it was first launched. */
    workingDir: string | null;
    sealedSessionKey: string | null;
    sessionKeyDigest: string | null;
    lastActivityAt: Date;
    /** When a start, or the stop that `stopping` names, counts as failed. */
    deadlineAt: Date | null;
    /** Since when a running server leaves health checks unanswered. */
    unansweredSince: Date | null;
    resumesWithHost: boolean;
    /** The fencing token of the run that reconciles it or did so last. */
    fence: number;
    /** Until when that run owns it. */
    claimedUntil: Date | null;
    createdAt: Date;
}
