import { isDatabaseUnavailable } from '../../kernel/database';
import { ExtensionError, isRecord, messageOf, settledWithin, StartError } from '../../kernel/common';
import { classOf } from './extension';
import type { Extensions } from './extensions';
import type { Owners } from './owners';

/** What a hook of an extension may take, by its name; the process ends within five seconds of a signal. */
const HOOKS = {
  onModuleInit: 30_000,
  onApplicationBootstrap: 30_000,
  onModuleDestroy: 3_000,
  beforeApplicationShutdown: 3_000,
  onApplicationShutdown: 3_000,
} as const;

type Hook = (...args: unknown[]) => unknown;

/**
 * Has the hooks of extensions fail by their names, and end: one that throws or takes too long rejects with an ExtensionError.
 * Called before any hook is.
 */
export function watchHooks({ modules }: Owners): void {
  const seen = new Set<object>();
  for (const [module, side] of modules)
    for (const { instance, isAlias } of [
      ...module.providers.values(),
      ...module.controllers.values(),
      ...module.injectables.values(),
    ]) {
      const provider: unknown = instance;
      if (typeof provider !== 'object' || provider === null || isAlias || seen.has(provider)) continue;
      seen.add(provider);
      for (const [name, limitMs] of Object.entries(HOOKS)) {
        const hook: unknown = Reflect.get(provider, name);
        if (!isHook(hook)) continue;
        const title = `${provider.constructor.name}.${name} of ${side}`;
        Reflect.set(provider, name, (...args: unknown[]) =>
          watched(title, limitMs, async () => {
            await hook.apply(provider, args);
          }),
        );
      }
    }
}

async function watched(title: string, limitMs: number, call: () => Promise<unknown>): Promise<void> {
  const called = call();
  if (!(await settledWithin(called, limitMs)))
    throw new ExtensionError(`${title} has not ended within ${limitMs / 1000} s.`);
  try {
    await called;
  } catch (error) {
    throw failure(title, error);
  }
}

function isHook(value: unknown): value is Hook {
  return typeof value === 'function';
}

/**
 * An error of the composition as one sentence, where a class of an extension threw it or cannot get what it asks for.
 * @returns the error itself where it is a sentence already, or is not of an extension
 */
export function compositionFailure(error: unknown, { origins }: Extensions): unknown {
  if (error instanceof StartError || isDatabaseUnavailable(error)) return error;
  const sides = new Map(
    origins.flatMap(({ title, modules }) => classesIn(modules).map((name) => [name, title] as const)),
  );
  // The outermost of the classes that were being made, or the one that Nest has nothing to make with.
  const made = error instanceof Error ? [...(error.stack ?? '').matchAll(/^ +at new (\S+)/gm)] : [];
  const named: unknown = isRecord(error) ? error.type : undefined;
  const name = [named, ...made.map((match) => match[1]).reverse()].find(
    (each) => typeof each === 'string' && sides.has(each),
  );
  if (typeof name !== 'string') return error;
  return failure(`The constructor of ${name} of ${sides.get(name) ?? ''}`, error);
}

/** The names of the classes that modules declare, and those that they import. */
function classesIn(given: unknown, found = new Map<unknown, string>()): string[] {
  for (const each of Array.isArray(given) ? given : []) {
    const declared: unknown = classOf(each);
    if (typeof declared !== 'function' || (found.has(declared) && declared === each)) continue;
    found.set(declared, declared.name);
    for (const list of ['providers', 'controllers', 'imports'] as const) {
      const noted: unknown = Reflect.getMetadata(list, declared);
      const dynamic: unknown = isRecord(each) ? each[list] : undefined;
      for (const parts of [noted, dynamic]) classesIn(Array.isArray(parts) ? parts.map(made) : [], found);
    }
  }
  return [...found.values()];
}

/** The class of a provider; of a module as it is. */
function made(part: unknown): unknown {
  return isRecord(part) && 'provide' in part ? part.useClass : part;
}

function failure(title: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const [reason = ''] = messageOf(error).split('\n');
  return new ExtensionError(`${title} failed: ${reason.replace(/\.$/, '')}.`, { cause: error });
}
