import { AssertionError } from 'node:assert';
import { isOfConnection } from './outlive-peers';

const thrownAt = (...frames: string[]): Error => {
  const error = new AssertionError({ message: 'assert(!this.paused)' });
  error.stack = ['AssertionError: assert(!this.paused)', ...frames.map((frame) => `    at ${frame}`)].join(
    '\n',
  );
  return error;
};
const UNDICI = 'Parser.finish (/app/node_modules/undici/lib/dispatcher/client-h1.js:375:5)';
const NODE = [
  'Socket.emit (node:events:524:28)',
  'emitErrorNT (node:internal/streams/destroy:169:8)',
  'process.processTicksAndRejections (node:internal/process/task_queues:82:21)',
];

describe('an error that nobody handled', () => {
  it.each([
    ['a reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })],
    ['what is no HTTP', Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_CONSTANT' })],
    ['one with such a cause', new Error('failed', { cause: Object.assign(new Error(), { code: 'EPIPE' }) })],
    ['of undici, in an event of a socket', thrownAt(UNDICI, ...NODE)],
    [
      'of the driver of the database, in Node',
      thrownAt(
        'Buffer.readUInt32BE (node:internal/buffer:311:5)',
        'BufferReader.uint32 (/app/node_modules/pg-protocol/dist/buffer-reader.js:31:36)',
        ...NODE,
      ),
    ],
    [
      'of the library for engines',
      thrownAt('ClientRequest.<anonymous> (/app/node_modules/docker-modem/lib/http.js:65:33)', ...NODE),
    ],
    ['the end of a database', Object.assign(new Error('terminating connection'), { code: '57P01' })],
    ['of the undici in Node', thrownAt('Parser.finish (node:internal/deps/undici/undici:7380:9)', ...NODE)],
  ])('comes out of a connection: %s', (_what, error) => expect(isOfConnection(error)).toBe(true));

  it.each([
    ['a TypeError', new TypeError('undefined is not a function')],
    ['of a file', Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })],
    ['of ours, called by undici', thrownAt('onData (/app/dist/door.js:1:1)', UNDICI, ...NODE)],
    ['of another package', thrownAt('x (/app/node_modules/other/index.js:1:1)', ...NODE)],
    ['of Node alone', thrownAt(...NODE)],
    ['without a stack', Object.assign(new Error('x'), { stack: undefined })],
  ])('does not: %s', (_what, error) => expect(isOfConnection(error)).toBe(false));
});
