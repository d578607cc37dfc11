import { DataSource, Repository } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { AuthCaches, type Caller, type Role } from '../../auth';
import { DomainEvents } from '../../domain-events';
import { AccountLocks, Accounts } from '../../orgs';
import { Invitation } from '../record/invitation.entity';
/** The organization that was joined, and in which role. */
export interface Joined {
    readonly orgId: string;
    readonly orgName: string;
    readonly role: Role;
}
/** As {@link Joined}, with a key that is shown this once. */
export interface JoinedWithKey extends Joined {
    readonly key: string;
}
/** What matters of a caller who accepts. */
export type Accepting = Pick<Caller, 'userId' | 'boundOrgId' | 'keyExpiresAt'>;
/** A person without an account who opened the link of an invitation. */
export interface NewInvitee {
    readonly name: string | null;
    /** They know the code that was emailed to the invited address. */
    readonly verified: boolean;
}
/**
 * Accepts invitations (docs/contract.md#accepting-an-invitation). Everything happens under the lock of the
 * organization, which calls that invite, renew and revoke take as well: of two concurrent calls, the second sees
 * what the first did.
 */
export declare class AcceptService {
    private readonly database;
    private readonly invitations;
    private readonly locks;
    private readonly accounts;
    private readonly keys;
    private readonly caches;
    private readonly events;
    constructor(database: DataSource, invitations: Repository<Invitation>, locks: AccountLocks, accounts: Accounts, keys: KeyIssuer, caches: AuthCaches, events: DomainEvents);
    /**
     * @param caller whose key accepts
     * @throws InvitationInvalidError, InvitationExpiredError, EmailMismatchError, EmailNotVerifiedError,
     *   AlreadyMemberError
     */
    acceptAsCaller(token: string, caller: Accepting): Promise<Joined>;
    /**
     * Like {@link acceptAsCaller}, for people who enter their key on the page: if it is bound to another
     * organization, they get a second one for the organization they joined, which expires with the first.
     */
    acceptWithKey(token: string, caller: Accepting): Promise<Joined & {
        readonly key: string | null;
    }>;
    /**
     * Creates an account for the invited address. Only the emailed code proves that the address is theirs, since
     * inviters know the link too; without it, the account's keys work in this organization only.
     * @throws AccountExistsError and those of {@link acceptAsCaller}
     */
    acceptAsNewUser(token: string, invitee: NewInvitee): Promise<JoinedWithKey>;
    /**
     * The owner of an address gets the account that was created for it with the link alone. Nothing set up
     * before is kept: neither keys, which would work everywhere from now on, nor settings.
     */
    private takeOver;
    /** Lets `accept` join with an invitation that can be accepted now. */
    private claim;
    private joinAs;
    /** Makes the user a member and marks the invitation accepted. */
    private join;
    /** @throws InvitationInvalidError when the invitation or its organization is gone */
    private lockOrganizationOf;
    /** @returns null when the user is gone or disabled */
    private activeUser;
}
