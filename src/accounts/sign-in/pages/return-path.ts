/** A placeholder for the service's origin while a text is parsed as a link. */
const PLACEHOLDER_ORIGIN = 'http://here.invalid';

/**
 * Where to go after signing in: the requested path if it belongs to this service, else its start page. Parsed as browsers
 * parse links, since they take `//host`, `/\host` and `/<tab>/host` for another host.
 * @param base what comes before the service's own paths
 */
export function returnPath(text: string, base = ''): string {
  const start = `${base}/`;
  if (!text.startsWith('/') || !URL.canParse(text, PLACEHOLDER_ORIGIN)) return start;
  const { origin, pathname, search, hash } = new URL(text, PLACEHOLDER_ORIGIN);
  // With its dot segments removed, `/.//host` is another host.
  const isOwn = origin === PLACEHOLDER_ORIGIN && !pathname.startsWith('//') && pathname.startsWith(start);
  return isOwn ? pathname + search + hash : start;
}
