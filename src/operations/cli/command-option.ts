/** A command that cannot be run; the message is printed on the terminal. */
export class CommandError extends Error {}

/** Values of options, by name; an empty one for those that take none. */
export type Options = Readonly<Record<string, string>>;

/** An option of a command. */
export interface CommandOption {
  /** What its value is, or what it says. */
  readonly about: string;
  readonly isOptional?: true;
  /** Whether it stands alone, without a value. */
  readonly isFlag?: true;
}

/** What help says of a command. */
export interface DescribedCommand {
  /** What it does. */
  readonly about: string;
  readonly options: Readonly<Record<string, CommandOption>>;
}
