import type { Request } from 'express';
import type { ParsedBody, RequestValues } from '../../validation';

const bodies = new WeakMap<object, ParsedBody>();

/** Puts the checked, typed values where the framework's parameter decorators read them. */
export function replaceRequestValues(request: Request, values: RequestValues): void {
  const { params, query, headers, body } = values;
  if (params) define(request, 'params', params);
  if (query) define(request, 'query', query);
  if (headers) define(request, 'headers', headers);
  if (body !== undefined) define(request, 'body', body);
}

/** Keeps the body as it was read, for handlers that need its text. */
export function keepBody(request: Request, body: ParsedBody): void {
  bodies.set(request, body);
}

/** The body as it was read; undefined on a route that declares none. */
export function keptBody(request: Request): ParsedBody | undefined {
  return bodies.get(request);
}

/** The framework declares some of these as getters. */
function define(request: Request, name: string, value: unknown): void {
  Object.defineProperty(request, name, { value, writable: true, configurable: true, enumerable: true });
}
