import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { KeyIssuer } from '../../accounts/api-keys';
import { readSettings } from '../../kernel/config';
import { DatabaseModule } from '../../kernel/database';
import { type Extensions, gatherExtensions } from '../extensions';
import {
  AfterCommitListeners,
  DomainEventKinds,
  DomainEventLog,
  DomainEvents,
  FailedListenerJobs,
  RemoteDomainEvents,
} from '../../kernel/domain-events';
import { JobHandlers, JobQueue } from '../../kernel/jobs';
import { Accounts } from '../../accounts/orgs';
import { prepare } from '../../start-up';
import type { Options } from './command-option';
import type { Command } from './commands';
import { OperatorCommands } from './operator-commands';

@Module({})
class CommandModule {
  static forRoot(databaseUrl: string, { events }: Extensions): DynamicModule {
    return {
      module: CommandModule,
      imports: [DatabaseModule.forRoot(databaseUrl)],
      providers: [
        Accounts,
        KeyIssuer,
        OperatorCommands,
        FailedListenerJobs,
        JobHandlers,
        JobQueue,
        AfterCommitListeners,
        DomainEventLog,
        { provide: DomainEventKinds, useValue: new DomainEventKinds(events) },
        { provide: DomainEvents, useClass: RemoteDomainEvents },
      ],
    };
  }
}

/**
 * Runs a command on the database of the settings.
 * @returns its result
 * @throws CommandError, StartError, SettingsError
 */
export async function runOnDatabase(
  command: Command,
  options: Options,
  env: Readonly<Record<string, string | undefined>>,
): Promise<object> {
  const extensions = await gatherExtensions([], env);
  // Commands run no sandboxes, so a driver that only the running service knows must not stop them.
  const prepared = await prepare(readSettings({ ...env, SANDBOX_DRIVER: '' }), {
    purpose: 'command',
    extensions,
    log: { info: () => undefined, warn: (message) => process.stderr.write(`${message}\n`) },
  });
  try {
    const context = await NestFactory.createApplicationContext(
      CommandModule.forRoot(prepared.installation.databaseUrl, extensions),
      { logger: false, abortOnError: false },
    );
    try {
      return await command.run(context.get(OperatorCommands), options, prepared);
    } finally {
      await context.close();
    }
  } finally {
    await prepared.close();
  }
}
