const DOOR = /^\/api\/v1\/sandboxes\/([^/?#]*)\/agent-server(\/[^?]*)?(?:\?(.*))?$/is;

const KEY_PARAMETER = 'session_api_key';

/** How many layers of percent-encoding a path may have; anything deeper is hardly legitimate. */
export const MAX_ENCODINGS = 4;

/** The target of a request to the door. */
export interface DoorTarget {
  /** The sandbox's id as spelled in the path. */
  readonly sandboxId: string;
  /** Path at the agent server, unchanged. */
  readonly path: string;
  /** Query for the agent server, unchanged except that the key is removed; with `?`, or empty. */
  readonly query: string;
  /** The value of `session_api_key` in the query. */
  readonly queryKey: string | null;
  /** Whether the path stays below the agent server's root, however it is decoded. */
  readonly isPassable: boolean;
}

/**
 * Reads the target of a request as the client sent it. It is decoded for checks only, and passed on unchanged.
 * @returns null for a target that is not below the door, such as one in absolute form
 */
export function doorTarget(url: string): DoorTarget | null {
  const [, sandboxId, path = '/', fullQuery] = DOOR.exec(url) ?? [];
  if (sandboxId === undefined) return null;
  const { query, queryKey } = withoutKey(fullQuery);
  return { sandboxId, path, query, queryKey, isPassable: staysBelowRoot(path) };
}

/** Removes the key from a query: it is meant for the service, which adds the sandbox's key itself. */
function withoutKey(text: string | undefined): Pick<DoorTarget, 'query' | 'queryKey'> {
  if (text === undefined) return { query: '', queryKey: null };
  const parts = text.split('&');
  const isKey = (part: string): boolean => decoded(part.split('=', 1)[0] ?? '') === KEY_PARAMETER;
  const key = parts.find(isKey);
  if (key === undefined) return { query: `?${text}`, queryKey: null };
  const rest = parts.filter((part) => !isKey(part)).join('&');
  const value = key.includes('=') ? key.slice(key.indexOf('=') + 1) : '';
  return { query: rest === '' ? '' : `?${rest}`, queryKey: decoded(value) ?? '' };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * Whether no segment of a path is `..` in any way a server might read it: percent-encoded any number of times, with
 * backslashes, with parameters after a semicolon, with characters that URL parsers drop.
 */
export function staysBelowRoot(path: string): boolean {
  if (path.includes('#')) return false;
  let reading = path;
  for (let encodings = 0; encodings <= MAX_ENCODINGS; encodings++) {
    if (climbs(reading) || reading.includes('\0')) return false;
    if (!reading.includes('%')) return true;
    const next = decodedOnce(reading);
    if (next === null) return false;
    if (next === reading) return true;
    reading = next;
  }
  return false;
}

function climbs(path: string): boolean {
  if (!path.includes('..') && !/[\t\n\r]/.test(path)) return false;
  return path
    .replaceAll(/[\t\n\r]/g, '')
    .split(/[/\\]/)
    .some((segment) => (segment.split(';', 1)[0] ?? '').trim() === '..');
}

/** Decodes the percent-escapes of a path once and leaves the rest. Null for invalid UTF-8, such as an overlong dot. */
export function decodedOnce(path: string): string | null {
  try {
    return path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
  } catch {
    return null;
  }
}
