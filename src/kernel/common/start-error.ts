/** The service cannot start, for a reason the operator can fix. The message is printed without a stack trace. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An extension failed, for a reason of its own: the message names it, and what it threw is the cause, for the log. */
export class ExtensionError extends StartError {}
