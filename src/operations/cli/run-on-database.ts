import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { AuditTrail, CommandSubscriber, inCommand, NoAuditTrail } from '../../kernel/audit';
import { parseUuid } from '../../kernel/common';
import { KeyIssuer } from '../../accounts/api-keys';
import { PermissionTable } from '../../kernel/auth';
import { readSettings, type Settings } from '../../kernel/config';
import { DatabaseModule } from '../../kernel/database';
import { type CommandOptions, type Extensions, gatherExtensions, type Given } from '../extensions';
import {
  AfterCommitListeners,
  AuditEvents,
  DomainEventKinds,
  DomainEventLog,
  DomainEvents,
  FailedListenerJobs,
  RemoteDomainEvents,
} from '../../kernel/domain-events';
import { JobHandlers, JobQueue } from '../../kernel/jobs';
import { OrganizationDomains } from '../../accounts/identity-providers';
import { AccountLocks, Accounts, OnlyProvider, OrganizationEnding } from '../../accounts/orgs';
import { prepare, type Prepared } from '../../start-up';
import type { Command } from './commands';
import { OperatorCommands } from './operator-commands';
import { OrganizationCommands } from './organizations/organization-commands';

const NO_TRAIL = { provide: AuditTrail, useClass: NoAuditTrail };

@Module({})
class CommandModule {
  static forRoot({ databaseUrl, settings, extensions }: Prepared['installation']): DynamicModule {
    const { events, permissions } = extensions;
    return {
      module: CommandModule,
      imports: [DatabaseModule.forRoot(databaseUrl)],
      providers: [
        AccountLocks,
        Accounts,
        KeyIssuer,
        OnlyProvider,
        OrganizationDomains,
        OrganizationEnding,
        OperatorCommands,
        OrganizationCommands,
        FailedListenerJobs,
        JobHandlers,
        JobQueue,
        AfterCommitListeners,
        DomainEventLog,
        AuditEvents,
        ...(settings.AUDIT_LOG === 'on' ? [CommandSubscriber, AuditTrail] : [NO_TRAIL]),
        { provide: PermissionTable, useValue: new PermissionTable(permissions) },
        { provide: DomainEventKinds, useValue: new DomainEventKinds(events) },
        { provide: DomainEvents, useClass: RemoteDomainEvents },
      ],
    };
  }
}

/** What a command is run with. */
interface Invocation {
  /** The settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Extensions besides those that `env` names. */
  readonly given: Given;
}

/**
 * Runs a command on the database of the settings.
 * @param name what it is called
 * @returns its result
 * @throws CommandError, StartError, SettingsError
 */
export async function runOnDatabase(
  name: string,
  command: Command,
  options: CommandOptions,
  { env, given }: Invocation,
): Promise<object> {
  const extensions = await gatherExtensions(given, env);
  // Commands run no sandboxes, so a driver that only the running service knows must not stop them.
  return withInstallation(readSettings({ ...env, SANDBOX_DRIVER: '' }), extensions, async (prepared) => {
    const context = await NestFactory.createApplicationContext(CommandModule.forRoot(prepared.installation), {
      logger: false,
      abortOnError: false,
    });
    try {
      const deed = { name, orgId: parseUuid(options.org ?? '') };
      const result = await inCommand(deed, async () =>
        command.run(context.get(OperatorCommands), options, prepared),
      );
      if (command.leavesRow === true) await leaveRow(context, name);
      return result;
    } finally {
      await context.close();
    }
  });
}

function leaveRow(context: INestApplicationContext, action: string): Promise<void> {
  return context
    .get(DataSource)
    .transaction((transaction) =>
      context.get(AuditTrail).record(transaction, { by: 'operator', orgId: null, action }),
    );
}

/**
 * Prepares an installation for a task, and ends with it what that took.
 * @throws StartError, and what the task throws
 */
export async function withInstallation<Result>(
  settings: Settings,
  extensions: Extensions,
  task: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const prepared = await prepare(settings, {
    purpose: 'command',
    extensions,
    log: { info: () => undefined, warn: (message) => process.stderr.write(`${message}\n`) },
  });
  try {
    return await task(prepared);
  } finally {
    await prepared.close();
  }
}
