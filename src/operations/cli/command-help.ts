import { ownPrograms } from '../../kernel/common';
import {
  type CommandOption,
  type CommandsByName,
  type DescribedCommand,
  FIELD,
  SERVICE_COMMANDS,
} from '../extensions';
import { CommandError } from './command-error';
import { COMMANDS, OPENAPI } from './commands';
import { INSTALLATION_COMMANDS } from './installation-commands';

const OF_ALL = { [`--${FIELD} …`]: 'prints this field of the result alone, as plain text where it is one' };

/** All commands with what they do. @param ofExtensions after those of the service */
export function helpOfAll(ofExtensions: CommandsByName): string {
  const all: Readonly<Record<string, DescribedCommand>> = {
    ...COMMANDS,
    ...INSTALLATION_COMMANDS,
    [OPENAPI.name]: OPENAPI,
    ...ofExtensions,
  };
  return [
    `Usage: ${ownPrograms().cli} COMMAND [OPTIONS]`,
    '',
    ...table(Object.fromEntries(Object.entries(all).map(([name, { about }]) => [name, about]))),
    '',
    `${ownPrograms().cli} help COMMAND describes the options of one. Each prints a JSON object, but for doctor and audit:verify.`,
    "Settings are those of the service (docs/configuration.md): set DATA_DIR, or DATABASE_URL and SECRET_KEY, to the service's.",
  ].join('\n');
}

/** A command with its options. */
export function helpOf(name: string, command: DescribedCommand): string {
  const options: Record<string, string> = {};
  for (const [name, option] of Object.entries(command.options))
    options[typed(name, option)] = option.isOptional ? `${option.about} (optional)` : option.about;
  return [
    `Usage: ${ownPrograms().cli} ${usageOf(name, command)} [--${FIELD} …]`,
    command.about,
    '',
    ...table({ ...options, ...OF_ALL }),
  ].join('\n');
}

/** A command as it is typed: `key:revoke --id …`. */
export function usageOf(name: string, command: DescribedCommand): string {
  const options = Object.entries(command.options).map(([each, option]) =>
    option.isOptional ? `[${typed(each, option)}]` : typed(each, option),
  );
  return [name, ...options].join(' ');
}

function typed(name: string, { isFlag, isPositional }: CommandOption): string {
  if (isPositional) return name.toUpperCase();
  return isFlag ? `--${name}` : `--${name} …`;
}

/** The error of a command that does not exist, or of none. @param ofExtensions after those of the service */
export function noCommand(name: string | undefined, ofExtensions: CommandsByName): CommandError {
  const what = name === undefined ? 'There is no command given' : `There is no command ${name}`;
  const names = [...SERVICE_COMMANDS, ...Object.keys(ofExtensions)].join(', ');
  return new CommandError(`${what}; there are ${names}. Try ${ownPrograms().cli} help.`);
}

function table(rows: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows).map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
}
