import createClient from 'openapi-fetch';
import { ApiError } from './api-error';
import type { components, paths } from './schema';
import { askAgain } from './session';

/** What the service answers with, by the name in its OpenAPI document. */
export type Schemas = components['schemas'];

/** What comes before the service's own paths. */
export const BASE = document.documentElement.dataset['base'] ?? '';

/** The address below which the console's pages are. */
export const CONSOLE = `${BASE}/console`;

/**
 * Calls operations of the service, as its OpenAPI document has them; the cookie of the session goes along. Where the session
 * has ended, or is too old for a change, the person is asked to sign in, and the call is made again: nothing typed is lost.
 */
export const api = createClient<paths>({
  baseUrl: BASE === '' ? location.origin : location.origin + BASE,
  fetch: ask,
});

async function ask(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  return (await askAgain(response)) ? fetch(again) : response;
}

/** As `fetch`, for pages of extensions. @param path of the service, without what comes before its own paths */
export function askedFetch(path: string, init?: RequestInit): Promise<Response> {
  return ask(new Request(BASE + path, init));
}

/** What `api` resolves to. */
interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The body of a response.
 * @throws ApiError for every status of a failure
 */
export async function bodyOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw ApiError.of(response, error);
  // A response of a success has what the document declares; one of 204 has no body, and its type is `never`.
  return data as T;
}
