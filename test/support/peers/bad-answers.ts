import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** What a server does with a connection on which it was asked. */
export type Answer = (socket: Socket) => void;

/** As much as is read at once, and more than is held for who reads slowly. */
const SIZES = [64 * 1024, 1024 * 1024];
const OK = 'HTTP/1.1 200 OK\r\n';

const ENDS: Readonly<Record<string, Answer>> = {
  'is closed': (socket) => socket.end(),
  'is closed a moment later': (socket) => void setTimeout(() => socket.end(), 50),
  'is reset': (socket) => void turn().then(() => socket.resetAndDestroy()),
  'is reset a moment later': (socket) => void setTimeout(() => socket.resetAndDestroy(), 50),
};

/** More than is taken by who reads slowly, on a connection that ends before it was taken. */
export const HELD_UP: readonly (readonly [string, Answer])[] = SIZES.flatMap((size) =>
  Object.entries({
    'all of': `Content-Length: ${size}`,
    'all but the end of': `Content-Length: ${size + 1}`,
    'an endless answer, but': 'X-Any: 1',
  }).flatMap(([part, header]) =>
    Object.entries(ENDS).map(([how, end]): [string, Answer] => [
      `${part} ${size} bytes, and the connection ${how}`,
      (socket) => {
        socket.write(`${OK}Connection: close\r\n${header}\r\n\r\n${'x'.repeat(size)}`);
        end(socket);
      },
    ]),
  ),
);

const TEXTS: Readonly<Record<string, string>> = {
  nothing: '',
  'what is no HTTP': '\0\x01\x02 no HTTP\r\n\r\n',
  'half of the headers': `${OK}Content-Le`,
  'headers without end': `${OK}X-Long: ${'x'.repeat(1024 * 1024)}`,
  'many headers': OK + 'X-Any: 1\r\n'.repeat(100_000),
  'a status below 100': 'HTTP/1.1 099 None\r\nContent-Length: 2\r\n\r\n{}',
  'a status above 599': 'HTTP/1.1 999 Any\r\nContent-Length: 2\r\n\r\n{}',
  'a status of three zeros': 'HTTP/1.1 000 None\r\nContent-Length: 2\r\n\r\n{}',
  'another protocol': 'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: any\r\n\r\nany',
  'many answers before the answer': 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000),
  'an interim answer alone': 'HTTP/1.1 100 Continue\r\n\r\n',
  'no content that has some': 'HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nabcde',
  'two answers': `${OK}Content-Length: 2\r\n\r\n{}${OK}Content-Length: 2\r\n\r\n{}`,
  'two lengths': `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a length and chunks': `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'a chunk without a size': `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
  'a chunk of too many digits': `${OK}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(64)}\r\n{}\r\n`,
  'half of a chunk': `${OK}Transfer-Encoding: chunked\r\n\r\nfffff\r\n{}`,
  'what is not compressed as it says': `${OK}Content-Encoding: gzip, br\r\nContent-Length: 2\r\n\r\n{}`,
  'half of what is compressed': `${OK}Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03`,
  'a redirect to nowhere': 'HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n',
  'a wish for a password': 'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\nContent-Length: 9\r\n\r\n{}',
  'names and values of all bytes': `${OK}X-Any: \x80\xff\xa0\r\nSet-Cookie: \xff\r\nContent-Length: 2\r\n\r\n{}`,
};

/** What no server should say, on a connection that ends. */
export const ODD: readonly (readonly [string, Answer])[] = Object.entries(TEXTS).flatMap(([what, text]) =>
  Object.entries(ENDS).map(([how, end]): [string, Answer] => [
    `${what}, and the connection ${how}`,
    (socket) => {
      if (text !== '') socket.write(text, 'latin1');
      end(socket);
    },
  ]),
);
