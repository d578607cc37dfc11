import { parseArgs } from 'node:util';
import { checkNodeVersion, isRecord, messageOf } from '../../kernel/common';
import { FIELD, helpOf, helpOfAll, noCommand, usageOf } from './command-help';
import { type CommandOption, type DescribedCommand, type Options, CommandError } from './command-option';
import { COMMANDS, OPENAPI } from './commands';
import { INSTALLATION_COMMANDS } from './installation-commands';

const HELP_OPTIONS = ['--help', '-h'];

/** Words of the command line, read. */
interface Request {
  readonly options: Options;
  /** The field of the result that is asked for alone. */
  readonly field: string | undefined;
}

/**
 * Runs one command. What it needs is loaded only then: help comes at once.
 * @param args name of the command and its options
 * @returns its result as one JSON text; a single field, where one is asked for; or help
 * @throws CommandError, StartError, SettingsError
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const [name, ...rest] = args;
  if (name !== undefined && ['help', ...HELP_OPTIONS].includes(name))
    return rest[0] === undefined ? helpOfAll() : helpOf(rest[0]);
  const ofInstallation = name === undefined ? undefined : INSTALLATION_COMMANDS[name];
  const command = name === undefined ? undefined : COMMANDS[name];
  const known = ofInstallation ?? command;
  if (name === undefined || (known === undefined && name !== OPENAPI.name)) throw noCommand(name);
  if (rest.some((word) => HELP_OPTIONS.includes(word))) return helpOf(name);
  const { options, field } = read(name, known, rest);
  checkNodeVersion();
  if (ofInstallation !== undefined) return printed(await ofInstallation.run(options, env), field);
  if (command === undefined) {
    const { describeApi } = await import('./describe-api.ts');
    return printed(await describeApi(env), field, (value) => inLines(value));
  }
  const { runOnDatabase } = await import('./run-on-database.ts');
  return printed(await runOnDatabase(command, options, env), field);
}

function read(name: string, command: DescribedCommand | undefined, args: readonly string[]): Request {
  const named = Object.entries(command?.options ?? {});
  const usage = `Usage: ${usageOf(name, command)}`;
  let values: Readonly<Record<string, unknown>>;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(named.map(typed)), [FIELD]: { type: 'string' } },
    }));
  } catch (error) {
    throw new CommandError(`${messageOf(error)}. ${usage}`);
  }
  const given: Record<string, string> = {};
  for (const [option, value] of Object.entries(values))
    given[option] = typeof value === 'string' ? value : '';
  const missing = named.find(([option, { isOptional }]) => isOptional !== true && !given[option]?.trim());
  if (missing !== undefined) throw new CommandError(`--${missing[0]} is missing. ${usage}`);
  return { options: given, field: given[FIELD] };
}

function typed([option, { isFlag }]: [string, CommandOption]): [string, { type: 'string' | 'boolean' }] {
  return [option, { type: isFlag ? 'boolean' : 'string' }];
}

/** What a command prints of its result. */
function printed(
  result: object | string,
  field: string | undefined,
  text: (value: unknown) => string = (value) => JSON.stringify(value),
): string {
  if (typeof result === 'string') return result;
  if (field === undefined) return text(result);
  if (!isRecord(result) || !Object.hasOwn(result, field))
    throw new CommandError(`The result has no field ${field}; it has ${Object.keys(result).join(', ')}.`);
  const value = result[field];
  return typeof value === 'string' ? value : text(value);
}

/** JSON with a line for each operation and each component: small, and a change shows where it is. */
function inLines(value: unknown, depth = 3): string {
  if (depth === 0 || !isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${inLines(member, depth - 1)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}
