import { Logger } from '@nestjs/common';
import { withApplication } from '../../command-application';
import { inCommand } from '../../kernel/audit';
import { AppError, ExtensionError, messageOf, StartError } from '../../kernel/common';
import { readSettings, SANDBOX_DRIVERS } from '../../kernel/config';
import { isDatabaseUnavailable } from '../../kernel/database';
import type { CommandHandler, CommandOptions, Extensions } from '../extensions';
import { withInstallation } from './run-on-database';

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
  env: Readonly<Record<string, string | undefined>>,
): Promise<object> {
  const settings = readSettings(
    // What it says is on standard error, beside its result on standard output.
    { LOG_LEVEL: 'warn', ...env },
    [...SANDBOX_DRIVERS, ...extensions.sandboxDrivers],
    extensions.settingProblems,
  );
  return withInstallation(settings, extensions, ({ installation }) =>
    withApplication(installation, async (app) => {
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
    }),
  );
}
