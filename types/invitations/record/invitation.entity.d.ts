import type { Role } from '../../auth';
/** Most characters of what a mail's sending came to; longer ones are cut. */
export declare const MAX_MAIL_DETAIL = 1000;
/** What is stored of an invitation's state; `expired` follows from the time. */
export type StoredStatus = 'pending' | 'accepted' | 'revoked';
/** The status of an invitation's email: `none` where no mail is configured. */
export type MailStatus = 'none' | 'queued' | 'sent' | 'failed';
export declare class Invitation {
    id: number;
    orgId: string;
    /** The address as it was checked, in lower case: the one that is mailed and has to accept. */
    email: string;
    role: Role;
    status: StoredStatus;
    /** Raised by every renewal, so that earlier links stop working. */
    generation: number;
    /** SHA-256 of the token, in hexadecimal: all that is stored of it. */
    tokenDigest: string;
    inviterUserId: string;
    createdAt: Date;
    expiresAt: Date;
    acceptedAt: Date | null;
    mailStatus: MailStatus;
    /** Why the email is delayed or was not sent. */
    mailDetail: string | null;
}
/**
 * A call that invited or mailed again: what the limits of invitations (docs/contract.md#invitation-limits)
 * count.
 */
export declare class InvitationCall {
    id: string;
    orgId: string;
    inviterUserId: string;
    /** How many addresses it invited. */
    addresses: number;
    calledAt: Date;
}
/** A six-digit code that was emailed to an invited address, to prove that the address is theirs. */
export declare class InvitationCode {
    id: string;
    invitationId: number;
    generation: number;
    /** The address it went to: requests for codes are counted by it. */
    email: string;
    /** HMAC of the code: a plain digest of six digits could be reversed. */
    digest: string;
    tries: number;
    createdAt: Date;
    expiresAt: Date;
    sentAt: Date | null;
}
