import { readSettings, SANDBOX_DRIVERS, type Settings, SettingsError } from '../config';
import { checkMarketplaceSettings } from '../skills';
import { checkAddresses } from './checks/addresses';
import { checkDataFolder } from './checks/data-folder';
import { checkDatabaseOf } from './checks/database';
import { checkGit } from './checks/git';
import { checkMail } from './checks/mail';
import { checkSandboxes } from './checks/sandboxes';
import { fail, type Finding, ok } from './finding';

/**
 * Looks at everything that a start needs, with the code that a start uses, and changes nothing that one would not.
 * The service may run meanwhile.
 * @param env its settings
 */
export async function examineInstallation(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const settings = settingsOf(env);
  if (Array.isArray(settings)) return settings;
  const found = await Promise.all([
    checkDataFolder(settings),
    checkDatabaseOf(settings),
    checkMail(settings),
    checkGit(),
    checkSandboxes(settings),
    checkAddresses(settings),
  ]);
  return [ok('settings', 'The settings can be read.'), ...found.flat()];
}

/** The settings, or what is wrong with them. */
function settingsOf(env: Readonly<Record<string, string | undefined>>): Settings | Finding[] {
  const drivers = [...SANDBOX_DRIVERS, ...(env.SANDBOX_DRIVER === undefined ? [] : [env.SANDBOX_DRIVER])];
  try {
    const settings = readSettings(env, drivers);
    checkMarketplaceSettings(settings);
    return settings;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map((problem) =>
      fail('settings', `${problem}.`, 'Correct it as docs/configuration.md says.'),
    );
  }
}
