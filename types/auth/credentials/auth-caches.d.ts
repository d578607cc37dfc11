import { Clock, TtlCache } from '../../common';
import type { Role } from '../identity/permissions';
import type { VerifiedKey } from '../identity/ports';
import type { SandboxCaller } from '../identity/principal';
/**
 * Short-lived caches of keys and memberships. Code that changes a key, a user or a member clears them, so that the next request on this replica sees the change; others see it within a second.
 */
export declare class AuthCaches {
    readonly users: TtlCache<VerifiedKey | null>;
    readonly sessions: TtlCache<VerifiedKey | null>;
    readonly sandboxes: TtlCache<SandboxCaller | null>;
    readonly roles: TtlCache<Role | null>;
    private cleared;
    constructor(clock: Clock);
    /** Changes whenever they are cleared. */
    get generation(): number;
    clear(): void;
}
