import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Module } from '@nestjs/core/injector/module';
import type { DeclaredRoute } from '../../kernel/http';
import { classOf } from './extension';
import type { Extensions } from './extensions';

/** How sentences name what no extension brings. */
export const SERVICE = 'the service';

/** Which extension what belongs to, as sentences name it. */
export interface Owners {
  /** Whose a route is. */
  of(route: Pick<DeclaredRoute, 'moduleToken'>): string;
  /** The modules of extensions, each with whose it is. */
  readonly modules: readonly (readonly [Module, string])[];
}

/**
 * Finds the modules that extensions bring, with all that these import.
 * @param app composed: Nest lists modules in the order in which they are imported, and those of extensions come last
 */
export function ownersOf(app: INestApplicationContext, { origins }: Extensions): Owners {
  const all = [...app.get(ModulesContainer).values()];
  const roots = new Map(
    origins.flatMap(({ title, modules }) => modules.map((module) => [classOf(module), title] as const)),
  );
  const first = all.findIndex(({ metatype }) => roots.has(metatype));
  const added = new Set(first === -1 ? [] : all.slice(first));
  const sides = new Map<Module, string>();
  const claim = (module: Module, side: string): void => {
    if (!added.has(module) || sides.has(module)) return;
    if ((roots.get(module.metatype) ?? side) !== side) return;
    sides.set(module, side);
    for (const imported of module.imports) claim(imported, side);
  };
  for (const module of added) {
    const side = roots.get(module.metatype);
    if (side !== undefined) claim(module, side);
  }
  const byToken = new Map([...sides].map(([{ token }, side]) => [token, side]));
  return {
    of: ({ moduleToken }) => byToken.get(moduleToken ?? '') ?? SERVICE,
    modules: [...sides],
  };
}
