import { type INestApplicationContext, Logger } from '@nestjs/common';
import { withApplication } from '../../command-application';
import { inCommand } from '../../kernel/audit';
import { AppError, ExtensionError, messageOf, StartError } from '../../kernel/common';
import { readSettings, SANDBOX_DRIVERS } from '../../kernel/config';
import { isDatabaseUnavailable } from '../../kernel/database';
import {
  type CommandHandler,
  type CommandOptions,
  type Extensions,
  gatherExtensions,
  type Given,
} from '../extensions';
import { type PreviewOfOrganization, RetentionRuns, type RunOfOrganization } from '../retention';
import { CommandError } from './command-error';
import { uuidOf } from './option-values';
import { withInstallation } from './run-on-database';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Runs a command of an extension, with the providers of the whole application.
 * @param name one of `extensions.commands`
 * @returns its result
 * @throws StartError, SettingsError, AppError; ExtensionError, which names the command, for anything else that it throws
 */
export async function runOfExtension(
  name: string,
  options: CommandOptions,
  extensions: Extensions,
  env: Env,
): Promise<object> {
  return inApplication(extensions, env, async (app) => {
    try {
      // Its composition has checked that it is a provider.
      const handler = extensions.commands[name]?.handler ?? '';
      return await inCommand({ name, orgId: null }, async () =>
        app.get<CommandHandler>(handler, { strict: false }).run(options),
      );
    } catch (error) {
      if (error instanceof AppError || error instanceof StartError || isDatabaseUnavailable(error))
        throw error;
      const failed = `The command ${name} failed: ${messageOf(error)}`;
      new Logger('Commands').error({ err: error }, failed);
      throw new ExtensionError(failed, { cause: error });
    }
  });
}

/**
 * Removes what is due by now, or says what would go (docs/retention.md#by-hand).
 * @returns what came of each organization in which something was to be done
 * @throws StartError, SettingsError, CommandError
 */
export async function runRetention(
  options: CommandOptions,
  env: Env,
  given: Given,
): Promise<{ items: readonly (RunOfOrganization | PreviewOfOrganization)[] }> {
  const orgId = options.org === undefined ? undefined : uuidOf('org', options.org);
  return inApplication(await gatherExtensions(given, env), env, async (app) => {
    const runs = app.get(RetentionRuns, { strict: false });
    if (orgId !== undefined && !(await runs.knows(orgId)))
      throw new CommandError('There is no organization with this id.');
    const isDryRun = options['dry-run'] !== undefined;
    return { items: isDryRun ? await runs.previewAll(orgId) : await runs.runAll('operator', orgId) };
  });
}

function inApplication<Result>(
  extensions: Extensions,
  env: Env,
  task: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings(
    // What it says is on standard error, beside its result on standard output.
    { LOG_LEVEL: 'warn', ...env },
    [...SANDBOX_DRIVERS, ...extensions.sandboxDrivers],
    extensions.settingProblems,
  );
  return withInstallation(settings, extensions, ({ installation }) => withApplication(installation, task));
}
