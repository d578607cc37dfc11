import type { IncomingMessage } from 'node:http';

const noted = new WeakMap<IncomingMessage, string>();

/** Says by which template a request is known that goes past Express. */
export function noteRoute(request: IncomingMessage, template: string): void {
  noted.set(request, template);
}

/** The template of the route that a request took, never its path; undefined where it took none. */
export function routeOf(request: IncomingMessage): string | undefined {
  const route: unknown = 'route' in request ? request.route : undefined;
  return typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string'
    ? route.path
    : noted.get(request);
}
