import { messageOf, StartError } from '../../kernel/common';
import { readSettings, SANDBOX_DRIVERS, type Settings, SettingsError } from '../../kernel/config';
import { type Extensions, gatherExtensions, type Given, NO_EXTENSIONS, versionsOf } from '../extensions';
import { checkMarketplaceSettings } from '../../agents/skills';
import { checkAddresses } from './checks/addresses';
import { checkDataFolder } from './checks/data-folder';
import { checkDatabaseOf } from './checks/database';
import { checkGit } from './checks/git';
import { checkMail } from './checks/mail';
import { checkSandboxes } from './checks/sandboxes';
import { fail, failure, type Finding, ok } from './finding';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Looks at everything that a start needs, with the code that a start uses, and changes nothing that one would not.
 * The service may run meanwhile.
 * @param env its settings
 * @param given extensions besides those that `env` names
 */
export async function examineInstallation(env: Env, given: Given = []): Promise<Finding[]> {
  const extensions = await extensionsOf(env, given);
  const settings = settingsOf(env, extensions);
  if (Array.isArray(settings)) return [...settings, ...extensions.findings];
  const found = await Promise.all([
    examined('data folder', () => checkDataFolder(settings)),
    examined('database', () => checkDatabaseOf(settings, extensions.loaded)),
    examined('mail', () => checkMail(settings)),
    examined('git', () => checkGit()),
    examined('sandboxes', () => checkSandboxes(settings)),
    examined('port', () => checkAddresses(settings)),
  ]);
  return [ok('settings', 'The settings can be read.'), ...extensions.findings, ...found.flat()];
}

/** What a check finds; a check that fails itself is a finding, and the others still run. */
async function examined(check: string, look: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    if (error instanceof StartError) return [failure(check, error.message)];
    return [fail(check, `This could not be looked at: ${messageOf(error)}.`, 'See docs/operations.md.')];
  }
}

/** What is to be said of the extensions, and what counts for the settings. */
interface FoundExtensions {
  /** Null where one cannot be loaded. */
  readonly loaded: Extensions | null;
  readonly findings: readonly Finding[];
  /** The sandbox drivers that there may be. */
  readonly drivers: readonly string[];
  /** What is wrong with their settings. */
  readonly problems: readonly string[];
}

async function extensionsOf(env: Env, given: Given): Promise<FoundExtensions> {
  try {
    const extensions = await gatherExtensions(given, env);
    const { sandboxDrivers: drivers, settingProblems: problems } = extensions;
    if (extensions === NO_EXTENSIONS) return { loaded: extensions, findings: [], drivers, problems };
    return {
      loaded: extensions,
      findings: [ok('extensions', `These can be loaded: ${versionsOf(extensions)}.`)],
      drivers,
      problems,
    };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    // The driver may be one of theirs.
    const drivers = env.SANDBOX_DRIVER === undefined ? [] : [env.SANDBOX_DRIVER];
    return {
      loaded: null,
      findings: [failure('extensions', error.message)],
      drivers,
      problems: [],
    };
  }
}

/** The settings, or what is wrong with them. */
function settingsOf(env: Env, { drivers, problems }: FoundExtensions): Settings | Finding[] {
  try {
    const settings = readSettings(env, [...SANDBOX_DRIVERS, ...drivers], problems);
    checkMarketplaceSettings(settings);
    return settings;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map((problem) =>
      fail('settings', `${problem}.`, 'Correct it as docs/configuration.md says.'),
    );
  }
}
