/** `org_id` of the path. */
export declare class InvitationsPath {
    org_id: string;
}
/** Whom to invite (docs/contract.md#invite). */
export declare class InvitationCreate {
    emails: string[];
    role: string;
}
/** An invitation as those see it who may invite (docs/contract.md#invite). */
export declare class InvitationResponse {
    id: number;
    email: string;
    role: 'member' | 'admin' | 'owner';
    status: 'pending' | 'accepted' | 'revoked' | 'expired';
    created_at: string;
    expires_at: string;
    inviter_email: string;
    invite_url: string | null;
    mail_status: 'none' | 'queued' | 'sent' | 'failed';
    mail_detail: string | null;
}
/** An address that was not invited. */
export declare class InvitationFailure {
    email: string;
    error: string;
    code: 'already_member' | 'duplicate_in_batch';
}
/** What became of each address (docs/contract.md#invite). */
export declare class BatchInvitationResponse {
    successful: InvitationResponse[];
    failed: InvitationFailure[];
    email_delivery_configured: boolean;
}
