/** A mail to one person. */
export interface EmailMessage {
  /** The address, as it was checked when it was taken; its domain may be international. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * What the message id is made of. Equal for every try of the same mail, so that a mail which is repeated
   * after a crash is recognised by the mail server or program that gets it twice.
   */
  readonly id: string;
}

/** What became of a try to send. */
export type MailOutcome =
  | { readonly kind: 'sent' }
  /** It will not work for this recipient; `detail` says why. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** It may work later. */
  | { readonly kind: 'delayed'; readonly detail: string };
