import { parseArgs } from 'node:util';
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { messageOf } from '../common';
import { KeyIssuer } from '../api-keys';
import { createApp } from '../app.setup';
import { CommandError } from './command-error';
import { readSettings } from '../config';
import { DatabaseModule } from '../database';
import { type Extensions, gatherExtensions } from '../extensions';
import { DomainEventLog, DomainEvents, FailedListenerJobs, RemoteDomainEvents } from '../domain-events';
import { openApiDocument } from '../http';
import { JobHandlers, JobQueue } from '../jobs';
import { OperatorCommands } from './operator-commands';
import { Accounts } from '../orgs';
import { prepare, type Prepared } from '../start-up';

type Options = Readonly<Record<string, string>>;

interface Command {
  /** Names of the options; a trailing `?` marks those that are optional. */
  readonly options: readonly string[];
  run(operator: OperatorCommands, options: Options, prepared: Prepared): Promise<object> | object;
}

/** The commands that work on the database (docs/contract.md#command-line). */
const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: { options: [], run: (_, __, { migrated }) => ({ migrations: migrated }) },
  'org:create': {
    options: ['name', 'owner-email', 'owner-name?', 'id?'],
    run: (operator, o) =>
      operator.createOrg(required(o, 'name'), required(o, 'owner-email'), o['owner-name'], o.id),
  },
  'member:add': {
    options: ['org', 'email', 'role', 'name?'],
    run: (operator, o) =>
      operator.addMember(required(o, 'org'), required(o, 'email'), required(o, 'role'), o.name),
  },
  'user:disable': {
    options: ['email'],
    run: (operator, o) => operator.disableUser(required(o, 'email')),
  },
  'key:issue': {
    options: ['email', 'org?', 'expires-at?'],
    run: (operator, o) => operator.issueKey(required(o, 'email'), o.org, o['expires-at']),
  },
  'key:revoke': { options: ['id'], run: (operator, o) => operator.revokeKey(required(o, 'id')) },
  'secrets:reencrypt': { options: [], run: (operator, _, { box }) => operator.reencryptSecrets(box) },
  'counters:rebuild': { options: [], run: (operator) => operator.rebuildCounters() },
  'subscribers:failed': { options: [], run: (operator) => operator.listFailedListenerJobs() },
};

@Module({})
class CommandModule {
  static forRoot(databaseUrl: string): DynamicModule {
    return {
      module: CommandModule,
      imports: [DatabaseModule.forRoot(databaseUrl)],
      providers: [
        ...[Accounts, KeyIssuer, OperatorCommands, FailedListenerJobs, JobHandlers, JobQueue],
        DomainEventLog,
        { provide: DomainEvents, useClass: RemoteDomainEvents },
      ],
    };
  }
}

/**
 * Runs one command.
 * @param args name of the command and its options
 * @returns its result as one JSON text
 * @throws CommandError, StartError, SettingsError
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const [name, ...rest] = args;
  const extensions = await gatherExtensions([], env);
  if (name === 'openapi') return describeApi(extensions);
  const command = name === undefined ? undefined : COMMANDS[name];
  if (name === undefined || command === undefined)
    throw new CommandError(
      `There ${name === undefined ? 'is no command given' : `is no command ${name}`}; there are ${[...Object.keys(COMMANDS), 'openapi'].join(', ')}.`,
    );
  const options = read(name, command, rest);
  // Commands run no sandboxes, so a driver that only the running service knows must not stop them.
  const prepared = await prepare(readSettings({ ...env, SANDBOX_DRIVER: '' }), {
    ...{ purpose: 'command', extensions },
    log: { info: () => undefined, warn: (message) => process.stderr.write(`${message}\n`) },
  });
  try {
    const context = await NestFactory.createApplicationContext(
      CommandModule.forRoot(prepared.installation.databaseUrl),
      { logger: false, abortOnError: false },
    );
    try {
      return JSON.stringify(await command.run(context.get(OperatorCommands), options, prepared));
    } finally {
      await context.close();
    }
  } finally {
    await prepared.close();
  }
}

/** The OpenAPI document, which needs no database. */
async function describeApi(extensions: Extensions): Promise<string> {
  const app = await createApp({
    settings: readSettings({ LOG_LEVEL: 'silent' }),
    databaseUrl: 'postgres://localhost/none',
    unconnected: true,
    secretKey: 'none',
    hostId: 'none',
    extensions,
  });
  return JSON.stringify(openApiDocument(app), null, 2);
}

function read(name: string, { options }: Command, args: readonly string[]): Options {
  const named = options.map((option) => option.replace('?', ''));
  const usage = `Usage: ${name}${options.map((option) => (option.endsWith('?') ? ` [--${option.slice(0, -1)} …]` : ` --${option} …`)).join('')}`;
  let values: Readonly<Record<string, unknown>>;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: Object.fromEntries(named.map((option) => [option, { type: 'string' }])),
    }));
  } catch (error) {
    throw new CommandError(`${messageOf(error)}. ${usage}`);
  }
  const given: Record<string, string> = {};
  for (const [option, value] of Object.entries(values)) if (typeof value === 'string') given[option] = value;
  const missing = options.find((option) => !option.endsWith('?') && !given[option]?.trim());
  if (missing !== undefined) throw new CommandError(`--${missing} is missing. ${usage}`);
  return given;
}

/** The value of a required option; {@link read} has checked that it is there. */
function required(options: Options, name: string): string {
  return options[name] ?? '';
}
