/** A mail did not go out yet; thrown by its job, to be run again. */
export class MailDelayedError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = new.target.name;
  }
}
