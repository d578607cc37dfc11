import { settingsSchema } from '../../kernel/config';
import type { Given } from './extension';
import type { Extensions } from './extensions';

type Env = Readonly<Record<string, string | undefined>>;

export const NO_EXTENSIONS: Extensions = {
  origins: [],
  modules: [],
  permissions: {},
  entities: [],
  migrating: [],
  sandboxDrivers: [],
  events: {},
  healthChecks: {},
  consolePages: {},
  commands: {},
  settings: [],
  settingProblems: [],
};

/**
 * The extensions of a program, and those that its environment names in `EXTENSIONS`. Without any, nothing is loaded.
 * @throws StartError
 */
export async function gatherExtensions(ofProgram: Given, env: Env): Promise<Extensions> {
  const paths = settingsSchema.shape.EXTENSIONS.parse(env.EXTENSIONS);
  if (ofProgram.length === 0 && paths.length === 0) return NO_EXTENSIONS;
  const { combineExtensions } = await import('./extensions.ts');
  const { loadExtensions } = await import('./load-extensions.ts');
  return combineExtensions([...ofProgram, ...loadExtensions(paths)], env);
}

/** An extension apart from the others. */
export interface Separated {
  /** The one; nothing where it is not among them. */
  readonly one: Extensions;
  readonly others: Extensions;
  readonly all: Extensions;
}

/**
 * As {@link gatherExtensions}, with one of them apart, for its removal.
 * @throws StartError
 */
export async function separateExtension(name: string, ofProgram: Given, env: Env): Promise<Separated> {
  const paths = settingsSchema.shape.EXTENSIONS.parse(env.EXTENSIONS);
  const { combineExtensions, isNamed } = await import('./extensions.ts');
  const { loadExtensions } = await import('./load-extensions.ts');
  const given = [...ofProgram, ...loadExtensions(paths)];
  const isOne = (each: Given[number]): boolean => isNamed(each, name);
  return {
    one: combineExtensions(given.filter(isOne), env),
    others: combineExtensions(
      given.filter((each) => !isOne(each)),
      env,
    ),
    all: combineExtensions(given, env),
  };
}

/** The extensions with their versions, for the log: `the extension acme 1.0.0, the module Notes`. */
export function versionsOf({ origins }: Extensions): string {
  return origins.map(({ title, version }) => [title, version].filter(Boolean).join(' ')).join(', ');
}
