/** Stands for the service itself while a text is read as a link on one of its pages. */
const HERE = 'http://here.invalid';

/**
 * Where somebody who signed in goes on: the path that was asked for, if it is one of this service, else `/`. Read as
 * browsers read links, since they take `//host`, `/\host` and `/<tab>/host` for another host.
 */
export function returnPath(text: string): string {
  if (!text.startsWith('/') || !URL.canParse(text, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(text, HERE);
  // Without its dots, `/.//host` would be another host.
  if (origin !== HERE || pathname.startsWith('//')) return '/';
  return pathname + search + hash;
}
