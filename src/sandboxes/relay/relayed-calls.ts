const CONVERSATION = '/api/conversations/[0-9A-Fa-f-]{32,36}';

/** The calls that are relayed, and no others (docs/contract.md#relayed-calls). */
const CALLS: readonly (readonly [method: 'GET' | 'POST', path: RegExp])[] = [
  ['GET', /^\/api\/git\/commits$/],
  ['GET', /^\/api\/git\/commits\/[0-9A-Fa-f]{4,64}\/changes$/],
  ['GET', /^\/api\/git\/diff$/],
  ['GET', /^\/api\/file\/download$/],
  ['POST', /^\/api\/bash\/execute_bash_command$/],
  ['POST', new RegExp(`^${CONVERSATION}/events$`)],
  ['POST', new RegExp(`^${CONVERSATION}/events/respond_to_confirmation$`)],
  ['POST', new RegExp(`^${CONVERSATION}/condense$`)],
  ['GET', new RegExp(`^${CONVERSATION}/events/count$`)],
];

/** Printable, and nothing that ends a path or begins another request. */
const PLAIN_QUERY = /^[\x21-\x7e]*$/;

/** @param path with its query, as the caller wrote it: it goes out as it is, so it has to be plain */
export function isRelayed(method: string, path: string): boolean {
  const [route = '', ...query] = path.split('?');
  return (
    !path.includes('#') &&
    PLAIN_QUERY.test(query.join('?')) &&
    CALLS.some(([allowed, pattern]) => allowed === method && pattern.test(route))
  );
}

const LOCAL: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether an address is that of a sandbox as a browser writes it: with the scheme of its page, and with the host of
 * its page where the sandbox says it is on the browser's own machine. Nothing is ever sent to it.
 */
export function isAddressOf(given: string, publicUrl: string): boolean {
  if (!URL.canParse(given)) return false;
  const [asked, known] = [new URL(given), new URL(publicUrl)];
  const isSameHost = asked.hostname === known.hostname || LOCAL.includes(known.hostname);
  return (
    /^https?:$/.test(asked.protocol) &&
    isSameHost &&
    asked.port === known.port &&
    asked.pathname.replace(/\/+$/, '') === known.pathname.replace(/\/+$/, '')
  );
}
