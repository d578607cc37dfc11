import { withApplication } from '../../command-application';
import { readSettings, SANDBOX_DRIVERS } from '../../kernel/config';
import { type CommandOptions, gatherExtensions, type Given } from '../extensions';
import { type PreviewOfOrganization, RetentionRuns, type RunOfOrganization } from '../retention';
import { CommandError } from './command-error';
import { uuidOf } from './option-values';
import { withInstallation } from './run-on-database';

/**
 * Removes what is due by now, or says what would go, with the providers of the whole application.
 * @returns what came of each organization in which something was to be done
 * @throws StartError, SettingsError, CommandError
 */
export async function runRetention(
  options: CommandOptions,
  env: Readonly<Record<string, string | undefined>>,
  given: Given,
): Promise<{ items: readonly (RunOfOrganization | PreviewOfOrganization)[] }> {
  const orgId = options.org === undefined ? undefined : uuidOf('org', options.org);
  const extensions = await gatherExtensions(given, env);
  const settings = readSettings(
    // What it says is on standard error, beside its result on standard output.
    { LOG_LEVEL: 'warn', ...env },
    [...SANDBOX_DRIVERS, ...extensions.sandboxDrivers],
    extensions.settingProblems,
  );
  return withInstallation(settings, extensions, ({ installation }) =>
    withApplication(installation, async (app) => {
      const runs = app.get(RetentionRuns, { strict: false });
      if (orgId !== undefined && !(await runs.knows(orgId)))
        throw new CommandError('There is no organization with this id.');
      const isDryRun = options['dry-run'] !== undefined;
      return { items: isDryRun ? await runs.previewAll(orgId) : await runs.runAll('operator', orgId) };
    }),
  );
}
