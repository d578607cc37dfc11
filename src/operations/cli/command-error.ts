/** A command that cannot be run; the message is printed on the terminal. */
export class CommandError extends Error {}
