const DOOR = /^\/api\/v1\/sandboxes\/([^/?#]*)\/agent-server(\/[^?]*)?(?:\?(.*))?$/is;

const KEY_PARAMETER = 'session_api_key';

/** How often a path may be encoded over itself; what still changes then is up to nothing good. */
const MOST_ENCODINGS = 4;

/** What a request to the door asks for. */
export interface DoorTarget {
  /** As the path spells the sandbox's id. */
  readonly sandboxId: string;
  /** Path at the agent server, as it came. */
  readonly path: string;
  /** Query for the agent server, as it came but for the key; with `?`, or empty. */
  readonly query: string;
  /** What the query had as `session_api_key`. */
  readonly queryKey: string | null;
  /** Whether the path stays below the agent server's root, however it is decoded. */
  readonly isPassable: boolean;
}

/**
 * Reads the target of a request as the client sent it: nothing of it is decoded or made canonical, but for looking at it.
 * @returns null for a target that is not below the door, such as one in absolute form
 */
export function doorTarget(url: string): DoorTarget | null {
  const [, sandboxId, path = '/', fullQuery] = DOOR.exec(url) ?? [];
  if (sandboxId === undefined) return null;
  const { query, queryKey } = withoutKey(fullQuery);
  return { sandboxId, path, query, queryKey, isPassable: staysBelowRoot(path) };
}

/** Takes the key out of a query: it is for the service, which adds the sandbox's key by itself. */
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
 * Whether no segment of a path is `..`, whichever of the readings that servers have is taken: encoded any number of
 * times, with backslashes, with parameters after a semicolon, with characters that address parsers drop.
 */
function staysBelowRoot(path: string): boolean {
  if (path.includes('#')) return false;
  let reading = path;
  for (let encodings = 0; encodings <= MOST_ENCODINGS; encodings++) {
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

/** Decodes the escapes of a path once; others stay. Null for bytes that are no UTF-8, such as a dot in two bytes. */
function decodedOnce(path: string): string | null {
  try {
    return path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
  } catch {
    return null;
  }
}
