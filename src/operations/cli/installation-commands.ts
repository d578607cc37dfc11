import { readFile } from 'node:fs/promises';
import { readSettings, type Settings } from '../../kernel/config';
import {
  type CommandOption,
  type CommandOptions,
  type DescribedCommand,
  gatherExtensions,
  type Given,
} from '../extensions';
import { CommandError } from './command-error';
import type { ServiceCommand } from './commands';

type Env = Readonly<Record<string, string | undefined>>;

/** A command on a whole installation, which opens the database by itself. */
interface InstallationCommand extends DescribedCommand {
  /**
   * @param extensions besides those that `env` names
   * @returns what is printed: an object as JSON, a text as it is; an empty one where it has printed by itself
   */
  run(options: CommandOptions, env: Env, extensions: Given): Promise<object | string>;
}

/** The variable that has the passphrase of a backup. */
const PASSPHRASE = 'BACKUP_PASSPHRASE';
const SHORTEST = 12;

const PASSPHRASE_FILE: CommandOption = {
  about: `file with the passphrase; ${PASSPHRASE} without it`,
  isOptional: true,
};

const FORMAT: CommandOption = { about: 'json for programs; lines without it', isOptional: true };

const log = {
  info: () => undefined,
  warn: (message: string) => process.stderr.write(`${message}\n`),
};

/** The commands on a whole installation (docs/backup.md, docs/operations.md). */
export const INSTALLATION_COMMANDS: Readonly<Record<string, InstallationCommand>> = {
  backup: {
    about: 'Writes all of an installation to an encrypted file, while the service runs.',
    options: { to: { about: 'the file, which must not exist' }, 'passphrase-file': PASSPHRASE_FILE },
    run: async (options, env) => {
      const passphrase = await passphraseOf(options, env);
      return reported(({ writeBackup }) => writeBackup(settingsOf(env), options.to ?? '', passphrase, log));
    },
  },
  restore: {
    about: 'Makes an installation of a backup, in an empty database and DATA_DIR.',
    options: {
      from: { about: 'the file' },
      'passphrase-file': PASSPHRASE_FILE,
      without: { about: 'tables to leave out, with commas between', isOptional: true },
    },
    run: async (options, env, given) => {
      const passphrase = await passphraseOf(options, env);
      const without = (options.without ?? '').split(',').filter((name) => name !== '');
      const { migrating: extensions } = await gatherExtensions(given, env);
      const request = { path: options.from ?? '', passphrase, without, extensions };
      return reported(({ restoreBackup }) => restoreBackup(settingsOf(env), request, log));
    },
  },
  doctor: {
    about:
      'Looks at all that a start needs, and says what to change; ends with 1 when something does not work.',
    options: { format: FORMAT },
    run: async ({ format }, env, given) => {
      const isForPrograms = isJson(format);
      const { examineInstallation, hasFailed, reportOf } = await import('../doctor/index.ts');
      const { Logger } = await import('@nestjs/common');
      // What a start logs is among the findings.
      Logger.overrideLogger(false);
      const findings = await examineInstallation(env, given);
      if (hasFailed(findings)) process.exitCode = 1;
      return isForPrograms ? { findings } : reportOf(findings);
    },
  },
  'audit:verify': {
    about:
      'Looks whether rows of the audit log are missing or were changed; ends with 1 when they are, or were.',
    options: {
      org: {
        about: 'id of the only organization to look at; all, and the installation, without it',
        isOptional: true,
      },
      format: FORMAT,
    },
    run: async ({ org, format }, env) => {
      const isForPrograms = isJson(format);
      const { uuidOf } = await import('./option-values.ts');
      const orgId = org === undefined ? null : uuidOf('org', org);
      const { reportOfAuditLog, verifyAuditLogOf } = await import('./audit-log/verify-audit-log.ts');
      const found = await verifyAuditLogOf(env, orgId);
      if (found.damaged > 0) process.exitCode = 1;
      return isForPrograms ? found : reportOfAuditLog(found);
    },
  },
  'audit:export': {
    about: 'Prints the audit log of the installation, the oldest rows first.',
    options: {
      org: {
        about: 'id of the only organization; without it, of all and of what belongs to none',
        isOptional: true,
      },
      installation: { about: 'only what belongs to no organization', isOptional: true, isFlag: true },
      since: { about: 'what happened then or later, for example 2030-01-01T00:00:00Z', isOptional: true },
      until: { about: 'what happened before', isOptional: true },
      format: { about: 'csv, jsonl or ocsf; JSON Lines without it', isOptional: true },
    },
    run: async (options, env, given) => {
      const { exportAuditLog } = await import('./audit-log/export-audit-log.ts');
      await exportAuditLog(options, env, given);
      return '';
    },
  },
  'retention:run': {
    about: 'Removes what organizations keep no longer, which the service does every hour.',
    options: {
      org: { about: 'id of the only organization; without it, all of them', isOptional: true },
      'dry-run': { about: 'says what would go, and removes nothing', isOptional: true, isFlag: true },
    },
    run: async (options, env, given) =>
      (await import('./run-with-application.ts')).runRetention(options, env, given),
  },
  'extension:remove': {
    about: 'Deletes what an extension has left, once the service runs without it.',
    options: {
      name: { about: 'name of the extension', isPositional: true },
      tables: {
        about: 'undoes its migrations, too, for which EXTENSIONS has to name it',
        isOptional: true,
        isFlag: true,
      },
      drivers: {
        about: 'its sandbox drivers, with commas between, where EXTENSIONS does not name it',
        isOptional: true,
      },
    },
    run: async ({ name = '', tables, drivers = '' }, env, given) => {
      const { removeExtension } = await import('./remove-extension.ts');
      const request = {
        name,
        withTables: tables !== undefined,
        drivers: drivers.split(',').filter((driver) => driver !== ''),
      };
      return removeExtension(request, env, given);
    },
  },
} satisfies Partial<Record<ServiceCommand, InstallationCommand>>;

/** Whether the result is for programs. @throws CommandError */
function isJson(format: string | undefined): boolean {
  if (format !== undefined && format !== 'json') throw new CommandError('--format must be json.');
  return format === 'json';
}

/** Commands run no sandboxes, so a driver that only the running service knows must not stop them. */
function settingsOf(env: Env): Settings {
  return readSettings({ ...env, SANDBOX_DRIVER: '' });
}

/** Runs what few starts of the command line need. */
async function reported<T>(task: (backup: typeof import('../backup/index.ts')) => Promise<T>): Promise<T> {
  const backup = await import('../backup/index.ts');
  try {
    return await task(backup);
  } catch (error) {
    if (error instanceof backup.BackupError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

/** Never an argument: those are seen by every user of the machine. */
async function passphraseOf(options: CommandOptions, env: Env): Promise<string> {
  const file = options['passphrase-file'];
  const text = file === undefined ? env[PASSPHRASE] : await readFile(file, 'utf8').catch(unreadable);
  const passphrase = text?.trim() ?? '';
  if (passphrase.length < SHORTEST)
    throw new CommandError(
      `A backup needs a passphrase of at least ${SHORTEST} characters, in ${PASSPHRASE} or in the file that --passphrase-file names.`,
    );
  return passphrase;
}

function unreadable(error: unknown): never {
  throw new CommandError(`The file of --passphrase-file cannot be read: ${String(error)}`, { cause: error });
}
