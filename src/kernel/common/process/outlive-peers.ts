/** Errors of connections, as the system, TLS, the parsers of HTTP and PostgreSQL name them. */
const OF_CONNECTIONS = new RegExp(
  [
    '^(?:ECONN(?:RESET|ABORTED|REFUSED)|EPIPE|EPROTO|ENOTCONN|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)',
    'UND_ERR_(?:SOCKET|(?:CONNECT|HEADERS|BODY)_TIMEOUT|HEADERS_OVERFLOW|RES_\\w+)',
    '(?:HPE|ERR_SSL|ERR_TLS)_\\w+',
    '(?:08|57P)\\w{2,3})$',
  ].join('|'),
);

const FRAME = /^\s+at .*$/gm;
const OF_NODE = /[ (](?:node:[\w/-]+(?::\d+){0,2}|wasm:\S+|<anonymous>)\)?$/;
/** What reads from sockets what others write: all of these have thrown in an event of one. */
const OF_READERS =
  /[ (](?:node:internal\/deps\/undici\/|.*[\\/]node_modules[\\/](?:undici|docker-modem|pg|pg-protocol)[\\/])/;

/** Reports errors that nobody handled. */
interface UnhandledErrors {
  /** An error of a connection; the process goes on. */
  readonly survived: (error: Error) => void;
  /** Any other error, which ends the process with exit code 1. */
  readonly ending: (error: Error) => void;
}

/**
 * Keeps the peer of a connection from ending the process: an error that came out of one, and that
 * nobody listened for, is reported and nothing more. This is the last resort; where a connection is made, its errors are handled.
 */
export function outlivePeers({ survived, ending }: UnhandledErrors): void {
  process.on('uncaughtException', (thrown: unknown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (isOfConnection(error)) {
      survived(error);
      return;
    }
    ending(error);
    process.exit(1);
  });
}

/** By its code, or its cause's; or because a reader of a socket threw it, with no code of ours on the stack. */
export function isOfConnection(error: Error): boolean {
  if ('code' in error && typeof error.code === 'string' && OF_CONNECTIONS.test(error.code)) return true;
  if (error.cause instanceof Error && error.cause !== error) return isOfConnection(error.cause);
  const frames = error.stack?.match(FRAME) ?? [];
  return (
    frames.some((frame) => OF_READERS.test(frame)) &&
    frames.every((frame) => OF_READERS.test(frame) || OF_NODE.test(frame))
  );
}
