import type SMTPPool from 'nodemailer/lib/smtp-pool';
/**
 * Options of the connection pool for an `SMTP_URL`. What the address says in its query (`?requireTLS=true`)
 * wins. A password is sent unencrypted to a server on this machine only: elsewhere it requires STARTTLS.
 */
export declare function smtpOptions(smtpUrl: string): SMTPPool.Options & {
    pool: true;
};
