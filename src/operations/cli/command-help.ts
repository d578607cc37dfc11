import { ownPrograms } from '../../kernel/common';
import { CommandError } from './command-option';
import type { DescribedCommand } from './command-option';
import { COMMAND_NAMES, COMMANDS, OPENAPI } from './commands';
import { INSTALLATION_COMMANDS } from './installation-commands';

/** An option that every command has. */
export const FIELD = 'field';

const OF_ALL = { [`${FIELD} …`]: 'prints this field of the result alone, as plain text where it is one' };

/** All commands that have options, or could. */
const DESCRIBED: Readonly<Record<string, DescribedCommand>> = { ...COMMANDS, ...INSTALLATION_COMMANDS };

/** All commands with what they do. */
export function helpOfAll(): string {
  const abouts = Object.entries(DESCRIBED).map(([name, { about }]): [string, string] => [name, about]);
  return [
    `Usage: ${ownPrograms().cli} COMMAND [OPTIONS]`,
    '',
    ...table(Object.fromEntries([...abouts, [OPENAPI.name, OPENAPI.about]])),
    '',
    `${ownPrograms().cli} help COMMAND describes the options of one. Each prints a JSON object, but for doctor.`,
    "Settings are those of the service (docs/configuration.md): set DATA_DIR, or DATABASE_URL and SECRET_KEY, to the service's.",
  ].join('\n');
}

/**
 * A command with its options.
 * @throws CommandError when there is none of this name
 */
export function helpOf(name: string): string {
  const command = DESCRIBED[name];
  if (command === undefined && name !== OPENAPI.name) throw noCommand(name);
  const options: Record<string, string> = {};
  for (const [option, { about, isOptional, isFlag }] of Object.entries(command?.options ?? {}))
    options[isFlag ? option : `${option} …`] = isOptional ? `${about} (optional)` : about;
  return [
    `Usage: ${ownPrograms().cli} ${usageOf(name, command)} [--${FIELD} …]`,
    command?.about ?? OPENAPI.about,
    '',
    ...table({ ...options, ...OF_ALL }, '--'),
  ].join('\n');
}

/** A command as it is typed: `key:revoke --id …`. */
export function usageOf(name: string, command: DescribedCommand | undefined): string {
  const options = Object.entries(command?.options ?? {}).map(([option, { isOptional, isFlag }]) => {
    const typed = isFlag ? `--${option}` : `--${option} …`;
    return isOptional ? `[${typed}]` : typed;
  });
  return [name, ...options].join(' ');
}

/** The error of a command that does not exist, or of none. */
export function noCommand(name: string | undefined): CommandError {
  const what = name === undefined ? 'There is no command given' : `There is no command ${name}`;
  return new CommandError(`${what}; there are ${COMMAND_NAMES.join(', ')}. Try ${ownPrograms().cli} help.`);
}

function table(rows: Readonly<Record<string, string>>, prefix = ''): string[] {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows).map(([name, about]) => `  ${prefix}${name.padEnd(width)}  ${about}`);
}
