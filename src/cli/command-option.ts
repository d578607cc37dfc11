/** Values of options, by name. */
export type Options = Readonly<Record<string, string>>;

/** An option of a command; it always takes a value. */
export interface CommandOption {
  /** What its value is. */
  readonly about: string;
  readonly isOptional?: true;
}

/** What help says of a command. */
export interface DescribedCommand {
  /** What it does. */
  readonly about: string;
  readonly options: Readonly<Record<string, CommandOption>>;
}
