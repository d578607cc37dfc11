import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Authentication, type KeyHolder, OrgResolution, type RequestIdentity } from '../../auth';
import { FailedCredentials } from '../../http';
import { RequestLimits, type RateLimitStatus } from '../../request-limits';
import { SandboxConversations } from '../../sandboxes';
import { AdmissionMemory } from './admission-memory';
import { DoorSandboxes } from './door-sandboxes';
import type { Admission } from './admission';
import type { DoorTarget } from './door-target';
/** Who was authenticated, and their rate limit status in the door's bucket; null where that has no limit. */
export interface Authenticated {
    readonly holder: KeyHolder;
    readonly standing: RateLimitStatus | null;
}
/** A request, and what is found out of it. */
export interface Asked {
    readonly request: IncomingMessage;
    readonly target: DoorTarget;
    identity: RequestIdentity | null;
    standing: RateLimitStatus | null;
}
/** Decides who may pass through the door, and to what (docs/sandboxes.md#the-door). */
export declare class DoorAdmission {
    private readonly memory;
    private readonly authentication;
    private readonly failed;
    private readonly limits;
    private readonly organizations;
    private readonly sandboxes;
    private readonly conversations;
    constructor(memory: AdmissionMemory, authentication: Authentication, failed: FailedCredentials, limits: RequestLimits, organizations: OrgResolution, sandboxes: DoorSandboxes, conversations: SandboxConversations);
    /** Whether a page of the service sent a request for somebody who is signed in there, and so needs no key. */
    isSignedIn(request: IncomingMessage): Promise<boolean>;
    /**
     * Authenticates a request and counts it against the request limit.
     * @param headers those of the request, or a key sent another way, as `x-session-api-key`
     * @throws UnauthenticatedError, TooManyFailedCredentialsError, RequestLimitError
     */
    authenticate(request: IncomingMessage, headers: IncomingHttpHeaders): Promise<Authenticated>;
    /**
     * {@link authenticate} and {@link admit} in one, for a request that is decided by its headers: reuses a decision made
     * a moment ago.
     * @param asked gets who asks, and their rate limit status, whatever becomes of the request
     */
    enter(asked: Asked): Promise<Admission>;
    /** Counts a request of an authenticated caller. @throws RequestLimitError */
    private count;
    /**
     * Admits an authenticated caller.
     * @param orgHeader the request's `X-Org-Id`
     * @throws InvalidSelectorError, PathNotPassableError, SandboxNotFoundError, SharedAgentServerError,
     *   SandboxFailedError, SandboxNotRunningError
     */
    admit(holder: KeyHolder, target: DoorTarget, orgHeader: string | undefined): Promise<Admission>;
    /**
     * A sandbox is for its creator only, while a member of its organization, whether the key is the user's or the
     * sandbox's.
     */
    private isTheirs;
    private assertOwnConversation;
}
/** Whether a request carries a key in its headers, one that works or not. */
export declare function hasCredential(headers: IncomingHttpHeaders): boolean;
