/** Outgoing mail. */
export declare class MailModule {
}
