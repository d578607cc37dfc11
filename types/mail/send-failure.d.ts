import type { MailOutcome } from './email-message';
/**
 * Decides whether a failure to send is permanent. A 5xx to the recipient or the message is; a mail server that
 * is unreachable, slow, busy (4xx), or that refuses our sender or password may accept the same email later, once
 * an operator has looked at it.
 */
export declare function outcomeOfFailure(error: unknown): Exclude<MailOutcome, {
    kind: 'sent';
}>;
/**
 * The reply of a mail server, fit to be stored and logged: on one line, and without the query strings of links,
 * which it may repeat from the email and which carry tokens.
 */
export declare function sanitizedReply(reply: string): string;
