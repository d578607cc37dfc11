import { Repository } from 'typeorm';
import { SecretBox } from '../../common';
import { JobHandlers, JobQueue } from '../../jobs';
import { Mailer } from '../../mail';
import { InvitationCode } from '../record/invitation.entity';
import type { InvitationView } from './invitation-view';
/**
 * Six-digit codes that prove an invited address (docs/contract.md#accepting-an-invitation): derived from their
 * ids, so that no job and no table contains one.
 */
export declare class AcceptanceCodes {
    private readonly stored;
    private readonly box;
    private readonly jobs;
    private readonly mailer;
    constructor(stored: Repository<InvitationCode>, box: SecretBox, jobs: JobQueue, mailer: Mailer, handlers: JobHandlers);
    /** Has a code emailed to the invited address; earlier ones stop working. @throws CodeLimitError */
    send(invitation: InvitationView): Promise<void>;
    /**
     * Accepts the code that was emailed last. Every try is counted before the code is compared, so that concurrent
     * calls get no more tries than consecutive ones.
     * @throws WrongCodeError, CodeVoidError
     */
    check(invitation: InvitationView, code: string): Promise<void>;
    private codeOf;
    private digest;
    private deliver;
}
