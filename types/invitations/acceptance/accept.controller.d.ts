import { type Caller } from '../../auth';
import { InvitationAccept, InvitationAccepted } from './accept.dto';
import { AcceptService } from './accept.service';
export declare class AcceptController {
    private readonly invitations;
    constructor(invitations: AcceptService);
    acceptInvitation(caller: Caller, body: InvitationAccept): Promise<InvitationAccepted>;
}
