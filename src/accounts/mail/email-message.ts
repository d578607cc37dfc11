/** An email to one person. */
export interface EmailMessage {
  /** The address, as it was checked when it was taken; its domain may be international. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * The local part of the message id. Equal for every attempt to send the same email, so that mail servers and
   * programs recognise a duplicate that was sent after a crash.
   */
  readonly id: string;
}

/** The outcome of an attempt to send. */
export type MailOutcome =
  | { readonly kind: 'sent' }
  /** A permanent failure for this recipient; `detail` says why. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** A temporary failure. */
  | { readonly kind: 'delayed'; readonly detail: string };

/** An email could not be sent yet; thrown by its job, to be run again. */
export class MailDelayedError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = new.target.name;
  }
}
