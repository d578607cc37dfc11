import { parseArgs } from 'node:util';
import { checkNodeVersion, isRecord, messageOf } from '../../kernel/common';
import {
  type CommandOption,
  type CommandOptions,
  type DescribedCommand,
  FIELD,
  gatherExtensions,
  type Given,
} from '../extensions';
import { CommandError } from './command-error';
import { helpOf, helpOfAll, noCommand, usageOf } from './command-help';
import { COMMANDS, OPENAPI } from './commands';
import { INSTALLATION_COMMANDS } from './installation-commands';

const HELP_OPTIONS = ['--help', '-h'];

type Env = Readonly<Record<string, string | undefined>>;

/** Words of the command line, read. */
interface Request {
  readonly options: CommandOptions;
  /** The field of the result that is asked for alone. */
  readonly field: string | undefined;
}

/** A command that was found, whoever has it. */
interface FoundCommand extends DescribedCommand {
  run(options: CommandOptions): Promise<object | string>;
  /** What is printed of a value; JSON in one line where it is left out. */
  readonly text?: (value: unknown) => string;
}

/**
 * Runs one command. What it needs is loaded only then: help comes at once.
 * @param args name of the command and its options
 * @param given extensions besides those that `env` names
 * @returns its result as one JSON text; a single field, where one is asked for; or help
 * @throws CommandError, StartError, SettingsError; AppError of a command of an extension
 */
export async function runCommand(args: readonly string[], env: Env, given: Given = []): Promise<string> {
  const [name, ...rest] = args;
  const ofExtensions = async () => (await gatherExtensions(given, env)).commands;
  if (name !== undefined && ['help', ...HELP_OPTIONS].includes(name)) {
    const [asked] = rest;
    return asked === undefined
      ? helpOfAll(await ofExtensions())
      : helpOf(asked, await find(asked, env, given));
  }
  if (name === undefined) throw noCommand(name, await ofExtensions());
  const command = await find(name, env, given);
  if (rest.some((word) => HELP_OPTIONS.includes(word))) return helpOf(name, command);
  const { options, field } = read(name, command, rest);
  checkNodeVersion();
  return printed(await command.run(options), field, command.text);
}

/**
 * Extensions are loaded for what is not the service's own.
 * @throws CommandError when nobody has a command of this name
 */
async function find(name: string, env: Env, given: Given): Promise<FoundCommand> {
  const ofInstallation = INSTALLATION_COMMANDS[name];
  if (ofInstallation !== undefined)
    return { ...ofInstallation, run: (options) => ofInstallation.run(options, env, given) };
  if (name === OPENAPI.name)
    return {
      ...OPENAPI,
      run: async () => (await import('./describe-api.ts')).describeApi(env, given),
      text: (value) => inLines(value),
    };
  const command = COMMANDS[name];
  if (command !== undefined)
    return {
      ...command,
      run: async (options) =>
        (await import('./run-on-database.ts')).runOnDatabase(name, command, options, {
          env,
          given,
        }),
    };
  const extensions = await gatherExtensions(given, env);
  const added = extensions.commands[name];
  if (added === undefined) throw noCommand(name, extensions.commands);
  return {
    ...added,
    run: async (options) =>
      (await import('./run-with-application.ts')).runOfExtension(name, options, extensions, env),
  };
}

function read(name: string, command: DescribedCommand, args: readonly string[]): Request {
  const named = Object.entries(command.options);
  const usage = `Usage: ${usageOf(name, command)}`;
  const [positional] = named.find(([, { isPositional }]) => isPositional) ?? [];
  let values: Readonly<Record<string, unknown>>;
  try {
    const parsed = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(named.map(typed)), [FIELD]: { type: 'string' } },
      allowPositionals: positional !== undefined,
    });
    const [value, extra] = parsed.positionals;
    if (extra !== undefined) throw new CommandError(`Unexpected argument '${extra}'`);
    values = {
      ...parsed.values,
      ...(positional !== undefined && value !== undefined && { [positional]: value }),
    };
  } catch (error) {
    throw new CommandError(`${messageOf(error)}. ${usage}`);
  }
  const given: Record<string, string> = {};
  for (const [option, value] of Object.entries(values))
    given[option] = typeof value === 'string' ? value : '';
  const missing = named.find(([option, { isOptional }]) => isOptional !== true && !given[option]?.trim());
  if (missing !== undefined) {
    const [option, { isPositional }] = missing;
    throw new CommandError(`${isPositional ? option.toUpperCase() : `--${option}`} is missing. ${usage}`);
  }
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
