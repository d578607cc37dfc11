/** A command that cannot be carried out; the sentence is for the person at the terminal. */
export class CommandError extends Error {}
