import { type EntityManager, Repository } from 'typeorm';
import { z } from 'zod';
import { JobHandlers, JobQueue } from '../../jobs';
import { Mailer } from '../../mail';
import { Invitation } from '../record/invitation.entity';
import { InvitationTokens } from '../record/invitation-tokens';
declare const payload: z.ZodObject<{
    invitations: z.ZodArray<z.ZodObject<{
        id: z.ZodInt;
        generation: z.ZodInt;
    }, z.core.$strip>>;
}, z.core.$strip>;
/** The payload of a job. */
type Reference = z.infer<typeof payload>['invitations'][number];
/** Emails invitations through durable jobs, whose payloads are only an invitation's id and generation. */
export declare class InvitationMailer {
    private readonly invitations;
    private readonly jobs;
    private readonly mailer;
    private readonly tokens;
    constructor(invitations: Repository<Invitation>, jobs: JobQueue, mailer: Mailer, tokens: InvitationTokens, handlers: JobHandlers);
    /** False where no mail server is configured. */
    get configured(): boolean;
    /** Has the emails sent once the transaction commits; those of earlier generations are no longer sent. */
    queue(transaction: EntityManager, invitations: readonly Reference[]): Promise<void>;
    /**
     * Sends what was not sent yet; the job runs again for those that are delayed. When the service stops, no
     * more are begun, and the outcome of those being sent is recorded.
     */
    private deliver;
    private send;
    private record;
}
export {};
