import { type OnApplicationShutdown } from '@nestjs/common';
import { type Settings } from '../config';
import type { EmailMessage, MailOutcome } from './email-message';
import type { MailTransport } from './mail-transport';
/** Sends emails, over SMTP unless an extension has another transport. To be called from jobs: a mail server may be slow. */
export declare class Mailer implements OnApplicationShutdown {
    private readonly logger;
    private readonly transport;
    private replacement;
    private readonly from;
    private readonly idDomain;
    private readonly end;
    /** Attempts of this process, by their outcome. */
    readonly attempts: Record<MailOutcome['kind'], number>;
    constructor({ SMTP_URL, MAIL_FROM }: Settings);
    /**
     * Has all emails sent by another transport, in place of a mail server.
     * @throws StartError when there is one already
     */
    use(transport: MailTransport): void;
    /** False where no mail server is configured: then nothing is to be sent. */
    get configured(): boolean;
    /** Runs after the jobs were given their time to finish. */
    onApplicationShutdown(): void;
    /**
     * Sends one email; `delayed` is to be tried again. Once begun it goes on until the service shuts down: when
     * sending is cut off, it is unknown whether the mail server accepted the email.
     */
    send(email: EmailMessage): Promise<MailOutcome>;
    private sendBy;
}
