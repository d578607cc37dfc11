import { InvitationResponse } from '../record/invite.dto';
/** One invitation of an organization. */
export declare class InvitationPath {
    org_id: string;
    invitation_id: string;
}
/** Which page of the pending invitations. */
export declare class InvitationsQuery {
    page_id: string | null;
    limit: number;
}
/** Pending invitations, newest first. */
export declare class InvitationPage {
    items: InvitationResponse[];
    next_page_id: string | null;
}
