/** An email could not be sent yet; thrown by its job, to be run again. */
export class MailDelayedError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = new.target.name;
  }
}
