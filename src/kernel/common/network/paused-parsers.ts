import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Of every connection that an undici in this process makes: the package, that in Node, and those of extensions. */
const CONNECTED = 'undici:client:connected';

const NOTHING = Buffer.alloc(0);

/** What is used of undici's parser of one connection. */
interface Parser {
  paused: boolean;
  readonly ptr: unknown;
  readonly llhttp: { llhttp_resume(ptr: unknown): void };
  readonly socket: { read(): Buffer | null };
  execute(bytes: Buffer): void;
  finish(): Error | null;
}

/**
 * Has a connection of undici end that was paused meanwhile. Up to version 7, its parser asserts then that it is not, in an
 * event of the socket, where nobody can catch it: an agent server that answers with `Connection: close`, and whoever else
 * is asked, would end the process. Version 8 does what is done here; it needs Node 22.
 */
export function finishPausedParsers(): void {
  unsubscribe(CONNECTED, onConnected);
  subscribe(CONNECTED, onConnected);
}

function onConnected(message: unknown): void {
  const parser = parserOf(message);
  if (parser === null) return;
  const finish = parser.finish.bind(parser);
  parser.finish = () => {
    goOn(parser);
    return finish();
  };
}

/** Parses what has come, past all pauses: there is not much of it, as nothing comes any more. */
function goOn(parser: Parser): void {
  for (let bytes: Buffer | null = NOTHING; parser.paused && bytes !== null;) {
    resume(parser);
    bytes = parser.socket.read();
    parser.execute(bytes ?? NOTHING);
  }
  // A body that only the end of the connection ends stays paused.
  if (parser.paused) resume(parser);
}

function resume(parser: Parser): void {
  parser.llhttp.llhttp_resume(parser.ptr);
  parser.paused = false;
}

function parserOf(message: unknown): Parser | null {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return null;
  const { socket } = message;
  if (typeof socket !== 'object' || socket === null) return null;
  const parts = Object.getOwnPropertySymbols(socket).map((symbol): unknown => Reflect.get(socket, symbol));
  return parts.find(isParser) ?? null;
}

function isParser(value: unknown): value is Parser {
  return (
    typeof value === 'object' &&
    value !== null &&
    'llhttp' in value &&
    'ptr' in value &&
    'paused' in value &&
    ['execute', 'finish'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}
