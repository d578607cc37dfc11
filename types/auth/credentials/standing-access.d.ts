import { PermissionTable } from '../identity/permission-table';
import type { Permission } from '../identity/permissions';
import { CredentialVerifier, type Member, type Membership, MembershipReader, SessionVerifier } from '../identity/ports';
/** What somebody was let in with. */
export interface Grant extends Membership {
    /** Null for who came without a key of their own. */
    readonly keyId: number | null;
    /** Null for who came without the session of a browser. */
    readonly sessionId: number | null;
    /** What their role has to allow; null for nothing beyond the membership. */
    readonly permission: Permission | null;
}
/** What of a grant is gone: the key or the session, the membership, or the permission. */
export type WhyEnded = 'credential' | 'membership' | 'permission';
/**
 * What has become of the access of those who were authenticated a while ago, and whose connections are still open:
 * read from the database, past all caches, for many of them at once.
 */
export declare class StandingAccess {
    private readonly keys;
    private readonly sessions;
    private readonly members;
    private readonly permissions;
    constructor(keys: CredentialVerifier, sessions: SessionVerifier, members: MembershipReader, permissions: PermissionTable);
    /** Those of some grants that hold no longer, and why; reads with three statements at most. */
    ended<Of extends Grant>(grants: readonly Of[]): Promise<ReadonlyMap<Of, WhyEnded>>;
    /** Which of some users are still members of the organizations named with them. */
    presentMembers(memberships: readonly Membership[]): Promise<readonly Member[]>;
    private workingKeys;
    private lastingSessions;
    private whyNoMember;
}
