/** The token of an invitation. */
export declare class InvitationAccept {
    token: string;
}
/** What was joined. */
export declare class InvitationAccepted {
    success: boolean;
    org_id: string;
    org_name: string;
    role: 'member' | 'admin' | 'owner';
}
