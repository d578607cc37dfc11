import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { ConsolePagesByName } from '../../appliance/console';
import { SANDBOX_DRIVERS, settingsSchema } from '../../kernel/config';
import { isOfService, type LowestRoles, ROLES } from '../../kernel/auth';
import { messageOf, StartError } from '../../kernel/common';
import { MIGRATIONS_TABLE } from '../../kernel/database';
import { checkCommands, type CommandsByName } from './commands';
import { DOMAIN_EVENT_KINDS, type EventSchemas } from '../../kernel/domain-events';
import { classOf, type Extension, type ExtensionModule, settingsOf } from './extension';

/** One extension, or a module that is given by itself. */
export interface Origin {
  /** Of the extension, or of the class of the module. */
  readonly name: string;
  /** As sentences name it: `the extension acme`. */
  readonly title: string;
  readonly version?: string;
  readonly modules: readonly ExtensionModule[];
  readonly entities: NonNullable<Extension['entities']>;
}

/** All that extensions add to a service, together. */
export interface Extensions {
  /** Whose is what, in the order in which they are given. */
  readonly origins: readonly Origin[];
  readonly modules: readonly ExtensionModule[];
  readonly permissions: LowestRoles;
  readonly entities: NonNullable<Extension['entities']>;
  /** Those that have migrations, in the order in which these run. */
  readonly migrating: readonly ExtensionMigrations[];
  readonly sandboxDrivers: readonly string[];
  readonly events: EventSchemas;
  readonly healthChecks: NonNullable<Extension['healthChecks']>;
  readonly consolePages: ConsolePagesByName;
  readonly commands: CommandsByName;
  /** Their settings; none of one whose settings are not valid. */
  readonly settings: readonly ExtensionSettings[];
  /** What is wrong with settings of extensions, a line each as in a `SettingsError`. */
  readonly settingProblems: readonly string[];
}

/** The settings of one extension, under the token by which they are injected. */
export interface ExtensionSettings {
  readonly provide: symbol;
  readonly useValue: Readonly<Record<string, unknown>>;
}

/** The migrations of one extension. */
export type ExtensionMigrations = Required<Pick<Extension, 'name' | 'migrations'>>;

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/**
 * Puts extensions together.
 * @param env where their settings are; an empty variable counts as not set
 * @throws StartError when one of them is not valid, or two do not go together
 */
export function combineExtensions(
  given: readonly (Extension | ExtensionModule)[],
  env: Env = {},
): Extensions {
  const described = given.filter(isExtension);
  for (const extension of described) check(extension);
  const drivers = described.flatMap(({ sandboxDrivers = [] }) => sandboxDrivers);
  const twice =
    repeated(described.map(({ name }) => `extensions named ${name}`)) ??
    repeated([...SANDBOX_DRIVERS, ...drivers].map((name) => `sandbox drivers named ${name}`));
  if (twice !== undefined) throw new StartError(`There are two ${twice}: EXTENSIONS has to name one only.`);
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const settings = described.map((extension) => readSettingsOf(extension, present));
  return {
    origins: given.map(originOf),
    modules: given.flatMap((each) => (isExtension(each) ? (each.modules ?? []) : [each])),
    permissions: Object.assign({}, ...described.map(({ permissions = {} }) => permissions)) as LowestRoles,
    entities: described.flatMap(({ entities = [] }) => entities),
    migrating: described.flatMap(({ name, migrations = [] }) =>
      migrations.length > 0 ? [{ name, migrations }] : [],
    ),
    sandboxDrivers: drivers,
    events: Object.fromEntries(described.flatMap(({ events = {} }) => Object.entries(events))),
    healthChecks: Object.fromEntries(
      described.flatMap(({ healthChecks = {} }) => Object.entries(healthChecks)),
    ),
    consolePages: Object.fromEntries(
      described.flatMap(({ consolePages = {} }) => Object.entries(consolePages)),
    ),
    commands: Object.fromEntries(described.flatMap(({ commands = {} }) => Object.entries(commands))),
    settings: settings.flatMap(({ read }) => read),
    settingProblems: settings.flatMap(({ problems }) => problems),
  };
}

type Env = Readonly<Record<string, string | undefined>>;

function readSettingsOf(
  { name, settings }: Extension,
  env: Env,
): { readonly read: ExtensionSettings[]; readonly problems: readonly string[] } {
  if (settings === undefined) return { read: [], problems: [] };
  const { data = {}, error } = parsed(name, settings, env);
  return {
    read: [{ provide: settingsOf(name), useValue: data }],
    problems: error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [],
  };
}

/** @throws StartError without what the schema threw, which may have the value of a secret in it */
function parsed(name: string, settings: z.ZodObject, env: Env) {
  try {
    return settings.safeParse(env);
  } catch {
    throw new StartError(`The settings of the extension ${name} cannot be read: its schema throws.`);
  }
}

function originOf(given: Extension | ExtensionModule): Origin {
  if (!isExtension(given)) {
    const ofClass = classOf(given);
    const name = typeof ofClass === 'function' ? ofClass.name : '';
    return { name, title: `the module ${name}`, modules: [given], entities: [] };
  }
  const { name, version, modules = [], entities = [] } = given;
  return {
    name,
    title: `the extension ${name}`,
    ...(version !== undefined && { version }),
    modules,
    entities,
  };
}

/** Whether it is declared as an extension; else it is a Nest module. */
function isExtension(given: Extension | ExtensionModule): given is Extension {
  return typeof given === 'object' && 'name' in given && !('module' in given);
}

/** Whether it is the extension of a name. */
export function isNamed(given: Extension | ExtensionModule, name: string): boolean {
  return isExtension(given) && given.name === name;
}

function check(extension: Extension): void {
  const { name, permissions = {}, events = {}, healthChecks = {}, settings } = extension;
  const { consolePages = {}, commands = {} } = extension;
  if (!NAME.test(name))
    throw new StartError(
      `The extension ${name} needs another name: small letters, digits and _, 40 at most, a letter first.`,
    );
  if (`${name}_migrations` === MIGRATIONS_TABLE)
    throw new StartError(
      `The extension ${name} needs another name: ${MIGRATIONS_TABLE} is a table of the service.`,
    );
  checkPermissions(name, permissions);
  for (const healthCheck of Object.keys(healthChecks))
    if (!healthCheck.startsWith(`${name}.`))
      throw new StartError(
        `The health check ${healthCheck} of the extension ${name} has to begin with its name and a dot.`,
      );
  checkConsolePages(name, consolePages);
  checkCommands(name, commands);
  checkEvents(name, events);
  checkSettings(name, Object.keys(settings?.shape ?? {}));
}

function checkPermissions(name: string, permissions: LowestRoles): void {
  for (const [permission, role] of Object.entries(permissions)) {
    if (isOfService(permission))
      throw new StartError(
        `The extension ${name} has the permission ${permission}, which is the service's own.`,
      );
    if (!permission.startsWith(`${name}:`))
      throw new StartError(
        `The permission ${permission} of the extension ${name} has to begin with ${name}:.`,
      );
    if (!ROLES.includes(role))
      throw new StartError(
        `The permission ${permission} of the extension ${name} is for the role ${role}; there are ${ROLES.join(', ')}.`,
      );
  }
}

/** What follows the extension's name and a dot, in the address of a page. */
const PAGE = /^[a-z0-9_-]{1,50}$/;

function checkConsolePages(name: string, pages: ConsolePagesByName): void {
  for (const [page, { script }] of Object.entries(pages)) {
    const said = `The page ${page} of the extension ${name}`;
    if (!page.startsWith(`${name}.`) || !PAGE.test(page.slice(name.length + 1)))
      throw new StartError(
        `${said} has to be named ${name}. and then small letters, digits, - and _, 50 at most.`,
      );
    if (!existsSync(script)) throw new StartError(`${said} has no script at ${script}.`);
  }
}

/** What follows the extension's name and a dot; webhooks name kinds of 100 characters at most. */
const EVENT = /^[a-z0-9_]{1,50}$/;

function checkEvents(name: string, events: EventSchemas): void {
  for (const [kind, fields] of Object.entries(events)) {
    const said = `The event ${kind} of the extension ${name}`;
    if (!kind.startsWith(`${name}.`) || !EVENT.test(kind.slice(name.length + 1)))
      throw new StartError(
        `${said} has to be named ${name}. and then small letters, digits and _, 50 at most.`,
      );
    if (DOMAIN_EVENT_KINDS.some((other) => other.startsWith(`${name}.`)))
      throw new StartError(`${said} cannot be: all that begins with ${name}. is the service's own.`);
    const own = ['kind', 'org_id'].find((field) => field in fields.shape);
    if (own !== undefined)
      throw new StartError(`${said} has the field ${own}, which the service gives every event.`);
    const problem = jsonProblem(fields);
    if (problem !== null) throw new StartError(`${said} cannot be written as JSON: ${problem}.`);
  }
}

/** Why what a schema reads is not written and read again as it is; null where it is. */
function jsonProblem(schema: z.ZodObject): string | null {
  try {
    return '$defs' in z.toJSONSchema(schema) ? 'its schema refers to others by their names' : null;
  } catch (error) {
    return messageOf(error);
  }
}

function checkSettings(name: string, settings: readonly string[]): void {
  const prefix = `${name.toUpperCase()}_`;
  for (const setting of settings) {
    if (setting in settingsSchema.shape)
      throw new StartError(`The extension ${name} has the setting ${setting}, which is the service's own.`);
    if (!setting.startsWith(prefix))
      throw new StartError(`The setting ${setting} of the extension ${name} has to begin with ${prefix}.`);
  }
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, n) => names.indexOf(name) !== n);
}
