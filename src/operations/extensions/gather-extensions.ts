import { settingsSchema } from '../../kernel/config';
import type { Extension, ExtensionModule } from './extension';
import type { Extensions } from './extensions';

export const NO_EXTENSIONS: Extensions = {
  origins: [],
  modules: [],
  permissions: {},
  entities: [],
  migrating: [],
  sandboxDrivers: [],
  events: {},
  healthChecks: {},
  settings: [],
  settingProblems: [],
};

/**
 * The extensions of a program, and those that its environment names in `EXTENSIONS`. Without any, nothing is loaded.
 * @throws StartError
 */
export async function gatherExtensions(
  ofProgram: readonly (Extension | ExtensionModule)[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Extensions> {
  const paths = settingsSchema.shape.EXTENSIONS.parse(env.EXTENSIONS);
  if (ofProgram.length === 0 && paths.length === 0) return NO_EXTENSIONS;
  const { combineExtensions } = await import('./extensions.ts');
  const { loadExtensions } = await import('./load-extensions.ts');
  return combineExtensions([...ofProgram, ...loadExtensions(paths)], env);
}

/** The extensions with their versions, for the log: `the extension acme 1.0.0, the module Notes`. */
export function versionsOf({ origins }: Extensions): string {
  return origins.map(({ title, version }) => [title, version].filter(Boolean).join(' ')).join(', ');
}
