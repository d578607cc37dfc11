import type { Response } from 'express';
import { type Caller, type OrgContext } from '../../auth';
import { InvitationResponse, InvitationsPath } from '../record/invite.dto';
import { InvitationPage, InvitationPath, InvitationsQuery } from './pending-invitations.dto';
import { PendingInvitationsService } from './pending-invitations.service';
export declare class PendingInvitationsController {
    private readonly invitations;
    constructor(invitations: PendingInvitationsService);
    listInvitations(org: OrgContext, _path: InvitationsPath, query: InvitationsQuery): Promise<InvitationPage>;
    revokeInvitation(caller: Caller, org: OrgContext, path: InvitationPath): Promise<void>;
    resendInvitation(caller: Caller, org: OrgContext, path: InvitationPath, response: Response): Promise<InvitationResponse>;
}
