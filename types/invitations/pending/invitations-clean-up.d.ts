import { Repository } from 'typeorm';
import { JobHandlers } from '../../jobs';
import { Invitation, InvitationCall, InvitationCode } from '../record/invitation.entity';
/** Deletes what no limit counts any more, and invitations that were over long ago. */
export declare class InvitationsCleanUp {
    constructor(invitations: Repository<Invitation>, calls: Repository<InvitationCall>, codes: Repository<InvitationCode>, handlers: JobHandlers);
}
