/** A placeholder for the service's origin while a text is parsed as a link. */
const PLACEHOLDER_ORIGIN = 'http://here.invalid';

/**
 * Where to go after signing in: the requested path if it belongs to this service, else `/`. Parsed as browsers parse
 * links, since they take `//host`, `/\host` and `/<tab>/host` for another host.
 */
export function returnPath(text: string): string {
  if (!text.startsWith('/') || !URL.canParse(text, PLACEHOLDER_ORIGIN)) return '/';
  const { origin, pathname, search, hash } = new URL(text, PLACEHOLDER_ORIGIN);
  // With its dot segments removed, `/.//host` is another host.
  if (origin !== PLACEHOLDER_ORIGIN || pathname.startsWith('//')) return '/';
  return pathname + search + hash;
}
