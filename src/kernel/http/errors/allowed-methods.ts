import type { Express, Request } from 'express';
import { isRecord } from '../../common';

/** The router of a server with its routes, by whose identity what was learned of them is kept. */
type Router = Express['router'];

const known = new WeakMap<Router, Map<string, readonly RegExp[]>>();

/**
 * The methods a path answers, in alphabetical order; empty for an unknown path. A fixed path has its own methods
 * only, not those of a path with a parameter that it matches as well.
 */
export function allowedMethods(express: Pick<Express, 'router'>, path: string): string[] {
  const methods = new Set<string>();
  for (const [pattern, names] of routesOf(express.router)) {
    if (!matcherOf(pattern).test(path)) continue;
    if (fixedPathsUnder(express.router, pattern).some((fixed) => fixed.test(path))) continue;
    for (const name of names) methods.add(name.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** Whether a request reached a route by a parameter whose value makes the path one of its own. */
export function isOfFixedPath({ app, path, route }: Request): boolean {
  const pattern: unknown = isRecord(route) ? route.path : undefined;
  return (
    typeof pattern === 'string' && fixedPathsUnder(app.router, pattern).some((fixed) => fixed.test(path))
  );
}

/** The routes of controllers: the framework's own match anything. */
function routesOf(router: Router): [pattern: string, methods: string[]][] {
  return router.stack.flatMap(({ route }) =>
    route === undefined || route.path.includes('*')
      ? []
      : [[route.path, route.stack.map(({ method }) => method)] as [string, string[]]],
  );
}

/** Those patterns that have a word where the given one has a parameter, and match it otherwise. */
function fixedPathsUnder(router: Router, pattern: string): readonly RegExp[] {
  const patterns = known.get(router) ?? new Map<string, readonly RegExp[]>();
  known.set(router, patterns);
  let found = patterns.get(pattern);
  if (found === undefined) {
    const others = new Set(routesOf(router).map(([other]) => other));
    found = [...others].filter((other) => isUnder(other, pattern)).map(matcherOf);
    patterns.set(pattern, found);
  }
  return found;
}

function isUnder(fixed: string, pattern: string): boolean {
  const [words, segments] = [fixed.split('/'), pattern.split('/')];
  if (fixed === pattern || words.length !== segments.length) return false;
  const same = words.every((word, i) => isParameter(segments[i]) || word === segments[i]);
  return same && words.some((word, i) => isParameter(segments[i]) && !isParameter(word));
}

function isParameter(segment = ''): boolean {
  return segment.startsWith(':');
}

function matcherOf(pattern: string): RegExp {
  const segments = pattern.split('/').map((segment) => (isParameter(segment) ? '[^/]+' : escaped(segment)));
  return new RegExp(`^${segments.join('/')}/?$`, 'i');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
