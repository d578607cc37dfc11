import type { INestApplicationContext, InjectionToken } from '@nestjs/common';
import { ApplicationConfig, DiscoveryModule, ModuleRef, ModulesContainer } from '@nestjs/core';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { SnakeCaseNaming } from '../../kernel/database';
import { isRecord, StartError } from '../../kernel/common';
import {
  type DeclaredRoute,
  DeclaredRoutes,
  DeclaredWebhooks,
  ForwardedOperations,
  modelsOfRoute,
  namedSchemas,
  operationIdOf,
  PUBLIC_PATHS,
  schemaNameOf,
} from '../../kernel/http';
import type { Extensions } from './extensions';
import { type Owners, SERVICE } from './owners';

/** What has been taken, by what: the key is the name, the value a side of a sentence. */
type Taken = Map<string, string>;

/**
 * Nothing is taken over in silence: refuses routes, operations, schemas and tables of an extension that another one, or the
 * service, has already, and providers in place of the service's.
 * @param app composed, with or without a database
 * @throws StartError one sentence, which names both sides
 */
export function refuseClashes(app: INestApplicationContext, extensions: Extensions, owners: Owners): void {
  const routes = app.get(DeclaredRoutes).all();
  checkProviders(app, owners);
  checkRoutes(app, routes, owners);
  checkOperations(app, routes, owners);
  checkSchemas(app, routes, owners);
  checkTables(app.get(DataSource), extensions);
}

/** What Nest adds to every module, and its own modules, whose providers others may have, too. */
const IN_EVERY_MODULE: readonly InjectionToken[] = [ApplicationConfig, ModuleRef];
const OF_NEST: readonly string[] = ['InternalCoreModule', DiscoveryModule.name];

/** The token under which Nest keeps what holds for all routes of an application. */
const FOR_ALL_ROUTES = /^APP_(GUARD|INTERCEPTOR|PIPE|FILTER)\b/;

function checkProviders(app: INestApplicationContext, owners: Owners): void {
  const ofExtensions = new Map(owners.modules);
  const ofService = new Set<InjectionToken>();
  const shared = new Set<unknown>();
  for (const module of app.get(ModulesContainer).values()) {
    if (ofExtensions.has(module) || OF_NEST.includes(module.name)) continue;
    shared.add(module.metatype);
    for (const token of module.providers.keys())
      // Texts are names of repositories.
      if (typeof token !== 'string' && !IN_EVERY_MODULE.includes(token)) ofService.add(token);
  }
  for (const [module, side] of ofExtensions) {
    // Of a library that both use, such as `TypeOrmModule`.
    if (shared.has(module.metatype)) continue;
    for (const token of module.providers.keys()) {
      const said = `The module ${module.name} of ${side} provides`;
      if (ofService.has(token))
        throw new StartError(
          `${said} ${textOf(token)}, which is the service's own: import the module that exports it, and register with a port what is to take its place.`,
        );
      const [, kind] = typeof token === 'string' ? (FOR_ALL_ROUTES.exec(token) ?? []) : [];
      if (kind !== undefined)
        throw new StartError(
          `${said} APP_${kind}, which would hold for all routes of the service: put it on controllers of its own.`,
        );
    }
  }
}

function textOf(token: InjectionToken): string {
  return typeof token === 'function' ? token.name : String(token);
}

/** A method and a path that somebody answers. */
interface Answered {
  readonly side: string;
  readonly method: string;
  readonly path: string;
}

function checkRoutes(app: INestApplicationContext, routes: readonly DeclaredRoute[], owners: Owners): void {
  const answered: Answered[] = [
    ...PUBLIC_PATHS.map((path) => ({ side: SERVICE, method: 'ALL', path })),
    ...Object.entries(app.get(ForwardedOperations).all()).flatMap(([template, item]) =>
      Object.keys(item).map((method) => ({
        side: SERVICE,
        method: method.toUpperCase(),
        path: template.replaceAll(/\{(\w+)\}/g, ':$1'),
      })),
    ),
  ];
  for (const route of routes) {
    const side = owners.of(route);
    for (const path of route.paths) {
      const { method } = route;
      const said = `The route ${method} ${path} (${route.name}) of ${side}`;
      if (side !== SERVICE) {
        if (coversApi(path))
          throw new StartError(`${said} would answer whatever is asked below /api: name its paths.`);
        const other = answered.find(
          (one) => one.side !== side && isSameMethod(one.method, method) && covers(one.path, path),
        );
        if (other !== undefined)
          throw new StartError(
            `${said} could not be reached: ${other.side} answers ${other.method} ${other.path}.`,
          );
      }
      answered.push({ side, method, path });
    }
  }
}

function isSameMethod(one: string, other: string): boolean {
  return one === other || one === 'ALL' || other === 'ALL';
}

const isWildcard = (segment: string): boolean => /^\{?\/?\*/.test(segment);
const isOpen = (segment: string): boolean => segment.startsWith(':') || isWildcard(segment);

/** Whether a path with a wildcard reaches below `/api`. */
function coversApi(path: string): boolean {
  const [, first = ''] = path.split('/');
  return path.includes('*') && (isOpen(first) || first.toLowerCase() === 'api');
}

/** Whether a path answers all that another one would, as Express compares them: without regard to case. */
function covers(one: string, other: string): boolean {
  const [ones, others] = [one, other].map((path) => path.toLowerCase().split('/').slice(1));
  if (ones === undefined || others === undefined) return false;
  const rest = ones.findIndex(isWildcard);
  if (rest === -1 ? ones.length !== others.length : others.length <= rest) return false;
  return ones
    .slice(0, rest === -1 ? undefined : rest)
    .every((segment, n) => segment.startsWith(':') || segment === others[n]);
}

function checkOperations(
  app: INestApplicationContext,
  routes: readonly DeclaredRoute[],
  owners: Owners,
): void {
  const taken: Taken = new Map();
  for (const item of Object.values(app.get(ForwardedOperations).all()))
    for (const operation of Object.values(item) as unknown[])
      if (isRecord(operation)) taken.set(String(operation.operationId), SERVICE);
  for (const route of routes) {
    const id = operationIdOf(route);
    if (id !== null)
      take(taken, id, owners.of(route), (other) => {
        return `The operation ${id} (${route.name}) of ${owners.of(route)} has the name of one of ${other}: give it another operationId.`;
      });
  }
}

function checkSchemas(app: INestApplicationContext, routes: readonly DeclaredRoute[], owners: Owners): void {
  const taken: Taken = new Map();
  const named = { ...app.get(DeclaredWebhooks).schemas(), ...namedSchemas() };
  for (const name of [...Object.keys(named), 'ErrorBody']) taken.set(name, SERVICE);
  const seen = new Set<object>();
  // Those of the service first: an extension may answer with its classes.
  const ordered = [...routes].sort((one, other) => rank(owners.of(one)) - rank(owners.of(other)));
  for (const route of ordered)
    for (const model of modelsOfRoute(route)) {
      if (seen.has(model)) continue;
      seen.add(model);
      const side = owners.of(route);
      take(taken, schemaNameOf(model), side, (other) => {
        return `The class ${schemaNameOf(model)} (${route.name}) of ${side} has the name of a schema of ${other}: give it another one.`;
      });
    }
}

const rank = (side: string): number => (side === SERVICE ? 0 : 1);

function checkTables(database: DataSource, { origins }: Extensions): void {
  // Classes may be declared and not used; without a database it is not known which.
  const used = new Set<unknown>(database.entityMetadatas.map(({ target }) => target));
  const tables = getMetadataArgsStorage().tables.filter(
    ({ target }) => !database.isInitialized || used.has(target),
  );
  const ofExtensions = new Map(
    origins.flatMap(({ title, entities }) => entities.map((entity) => [entity as unknown, title] as const)),
  );
  const naming = new SnakeCaseNaming();
  const taken: Taken = new Map();
  const sides = tables.map(({ target, name, schema }) => {
    const entity = typeof target === 'function' ? target.name : target;
    const table = [
      ...(schema === undefined ? [] : [schema]),
      name ?? naming.tableName(entity, undefined),
    ].join('.');
    return { entity, table, side: ofExtensions.get(target) ?? SERVICE };
  });
  for (const { entity, table, side } of sides.sort((one, other) => rank(one.side) - rank(other.side)))
    take(taken, table, side, (other) => {
      return `The entity ${entity} of ${side} has the table ${table}, which is one of ${other}.`;
    });
}

/** @throws StartError when somebody else has the name already */
function take(taken: Taken, name: string, side: string, sentence: (other: string) => string): void {
  const other = taken.get(name);
  if (other !== undefined && other !== side) throw new StartError(sentence(other));
  taken.set(name, side);
}
