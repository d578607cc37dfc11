import type { Type } from '@nestjs/common';
import { StartError } from '../../kernel/common';

/** The commands of the command line that the service has itself, in the order in which they are listed. */
export const SERVICE_COMMANDS = [
  'migrate',
  'org:create',
  'org:list',
  'org:remove',
  'member:add',
  'user:disable',
  'user:enable',
  'user:erase',
  'user:list',
  'key:issue',
  'key:revoke',
  'key:list',
  'domain:verify',
  'domain:remove',
  'provider:optional',
  'secrets:reencrypt',
  'counters:rebuild',
  'subscribers:failed',
  'backup',
  'restore',
  'doctor',
  'audit:verify',
  'audit:export',
  'retention:run',
  'extension:remove',
  'openapi',
] as const;

/** Values of the options of a command, by name; an empty one for those that take none. */
export type CommandOptions = Readonly<Record<string, string>>;

/** An option of a command. */
export interface CommandOption {
  /** What its value is, or what it says. */
  readonly about: string;
  readonly isOptional?: true;
  /** Whether it stands alone, without a value. */
  readonly isFlag?: true;
  /** Whether its value is written without its name: one option of a command may be. */
  readonly isPositional?: true;
}

/** What help says of a command. */
export interface DescribedCommand {
  /** What it does, as a sentence. */
  readonly about: string;
  readonly options: Readonly<Record<string, CommandOption>>;
}

/** Runs a command of an extension; a provider. */
export interface CommandHandler {
  /**
   * @param options those that are not optional have a value
   * @returns what is printed, as JSON
   * @throws AppError, StartError: of these their sentence is printed
   */
  run(options: CommandOptions): Promise<object> | object;
}

/** A command that an extension adds to the command line. */
export interface ExtensionCommand extends DescribedCommand {
  /** A provider of the extension's modules. */
  readonly handler: Type<CommandHandler>;
}

/** Commands of an extension, by names such as `acme:report`. */
export type CommandsByName = Readonly<Record<string, ExtensionCommand>>;

/** The option of every command that names the one field of its result that is printed. */
export const FIELD = 'field';

/** Options that all commands have. */
const OPTIONS_OF_ALL = [FIELD, 'help'];

const REST = /^[a-z0-9][a-z0-9:_-]*$/;
const OPTION = /^[a-z][a-z0-9-]*$/;

/** @throws StartError where a command of an extension, or an option of one, has a name that it may not have */
export function checkCommands(extension: string, commands: CommandsByName): void {
  for (const [name, { options }] of Object.entries(commands)) {
    if (SERVICE_COMMANDS.some((own) => own === name))
      throw new StartError(`The extension ${extension} has the command ${name}, which is the service's own.`);
    if (!name.startsWith(`${extension}:`) || !REST.test(name.slice(extension.length + 1)))
      throw new StartError(
        `The command ${name} of the extension ${extension} has to be ${extension}: with small letters, digits, - and _ after it.`,
      );
    for (const option of Object.keys(options))
      if (!OPTION.test(option) || OPTIONS_OF_ALL.includes(option))
        throw new StartError(
          `The command ${name} has the option ${option}: it needs another name, of small letters, digits and -, and ${OPTIONS_OF_ALL.join(' and ')} are those of all commands.`,
        );
  }
}
