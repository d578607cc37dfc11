import type { Express } from 'express';

/** A method of the router's layers that its published types leave out. */
interface Matching {
  match(path: string): boolean;
}

function isMatching(layer: object): layer is Matching {
  return 'match' in layer && typeof layer.match === 'function';
}

/** The methods a path answers, in alphabetical order; empty for an unknown path. */
export function allowedMethods(express: Express, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of express.router.stack) {
    if (layer.route === undefined || layer.route.path.includes('*')) continue; // middleware of the framework
    if (!isMatching(layer) || !layer.match(path)) continue;
    for (const { method } of layer.route.stack) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
