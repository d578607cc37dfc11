import type { Express, Request } from 'express';
/**
 * The methods a path answers, in alphabetical order; empty for an unknown path. A fixed path has its own methods
 * only, not those of a path with a parameter that it matches as well.
 */
export declare function allowedMethods(express: Pick<Express, 'router'>, path: string): string[];
/** Whether a request reached a route by a parameter whose value makes the path one of its own. */
export declare function isOfFixedPath({ app, path, route }: Request): boolean;
