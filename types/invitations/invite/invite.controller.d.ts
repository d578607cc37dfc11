import type { Response } from 'express';
import { type Caller, type OrgContext } from '../../auth';
import { BatchInvitationResponse, InvitationCreate, InvitationsPath } from '../record/invite.dto';
import { InviteService } from './invite.service';
export declare class InviteController {
    private readonly invitations;
    constructor(invitations: InviteService);
    inviteMembers(caller: Caller, org: OrgContext, _path: InvitationsPath, body: InvitationCreate, response: Response): Promise<BatchInvitationResponse>;
}
