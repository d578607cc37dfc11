const CONVERSATION = '/api/conversations/[0-9A-Fa-f-]{32,36}';

/** The allowlist of relayed calls (docs/contract.md#relayed-calls). */
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

/** Printable characters, and none that ends a path or starts another request. */
const PLAIN_QUERY = /^[\x21-\x7e]*$/;

/** @param path with its query, as the caller wrote it: it is sent unchanged, so only plain characters are allowed */
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
 * Whether an address is the sandbox's as a browser spells it: with the scheme of its page, and with the page's host if
 * the sandbox is on the browser's own machine. The address is only compared, never called.
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
