import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MEBIBYTE } from '../../../src/kernel/common';
import { StreamWriter } from '../../../src/outbound/event-streams/connections/stream-writer';
import { eventually } from '../../support/eventually';

/** More than the system keeps of a connection that nobody reads. */
const MORE_THAN_IS_KEPT = Buffer.alloc(64 * MEBIBYTE, '.');
const FRAME = Buffer.alloc(100 * 1024, '.');
const BEAT = ': heartbeat\n\n';

/** In place of a minute. */
const LOOKS_MS = 5_000;

describe('the writer of a stream', () => {
  let server: Server;
  let reader: IncomingMessage;
  let writer: StreamWriter;
  let response: ServerResponse;
  let closed: jest.Mock;
  let still: jest.Mock;
  /** The times that were given to the reader. */
  let givenMs: number[];
  /** Bytes that the reader took. */
  let received: number;

  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    const arrived = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const request = get({ port: (server.address() as AddressInfo).port, agent: false });
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    [, response] = await arrived;
    const setTimeout = jest.spyOn(response, 'setTimeout');
    closed = jest.fn();
    still = jest.fn();
    writer = new StreamWriter(response, { closed, still });
    givenMs = setTimeout.mock.calls.map(([ms]) => ms);
    writer.begin();
    [reader] = await answered;
    received = 0;
    reader.on('data', (chunk: Buffer) => (received += chunk.length));
    reader.on('error', () => undefined);
    reader.pause();
  });
  afterEach(async () => {
    reader.destroy();
    await eventually(() => expect(closed).toHaveBeenCalledTimes(1));
  });

  /** Writes frames, each in a turn of its own. @returns which were taken */
  async function inTurns(frames: readonly Buffer[]): Promise<boolean[]> {
    const taken: boolean[] = [];
    for (const frame of frames) {
      taken.push(writer.write(frame));
      await nextTurn();
    }
    return taken;
  }

  /** Has the reader take at least so many bytes, and little more. */
  async function take(bytes: number): Promise<void> {
    const enough = received + bytes;
    reader.resume();
    while (received < enough) await once(reader, 'data');
    reader.pause();
  }

  it('lets a reader lag by 256 KiB beyond the frame that is being written, and by no more', async () => {
    expect(await inTurns([MORE_THAN_IS_KEPT, FRAME, FRAME, FRAME, FRAME])).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('does not take for a lag what is written in one turn, and could not be sent yet', async () => {
    reader.resume();
    const frames = Array.from({ length: 50 }, () => writer.write(FRAME));
    expect(frames).not.toContain(false);
    await eventually(() => expect(writer.isIdle).toBe(true));
    expect(writer.write(FRAME)).toBe(true);
  });

  it('takes for one what a reader has left of an earlier turn', async () => {
    for (let n = 0; n < 8; n++) writer.write(Buffer.alloc(8 * MEBIBYTE));
    await nextTurn();
    expect(writer.write(FRAME)).toBe(false);
  });

  it('forgets the lag of a reader that has taken everything', async () => {
    await inTurns([MORE_THAN_IS_KEPT, FRAME, FRAME, FRAME]);
    reader.resume();
    await eventually(() => expect(writer.isIdle).toBe(true));
    reader.pause();
    expect(await inTurns([MORE_THAN_IS_KEPT, FRAME, FRAME, FRAME, FRAME])).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('gives a reader up that takes nothing for two minutes, and not one that has nothing to take', async () => {
    expect(givenMs).toEqual([60_000]);
    writer.beat(BEAT);
    await eventually(() => expect(writer.isIdle).toBe(true));
    response.emit('timeout');
    expect(still).not.toHaveBeenCalled();
    writer.write(MORE_THAN_IS_KEPT);
    await nextTurn();
    response.emit('timeout');
    expect(still).toHaveBeenCalledTimes(1);
  });

  it('counts a reader as alive that takes something of a frame now and then', async () => {
    response.setTimeout(LOOKS_MS);
    writer.write(MORE_THAN_IS_KEPT);
    for (let n = 0; n < 8; n++) {
      await take(4 * MEBIBYTE);
      await new Promise((resolve) => setTimeout(resolve, LOOKS_MS / 4));
    }
    expect(still).not.toHaveBeenCalled();
    await eventually(() => expect(still).toHaveBeenCalled());
  });

  it('shows nobody a heartbeat in the middle of something else', async () => {
    writer.write(MORE_THAN_IS_KEPT);
    await nextTurn();
    writer.beat(BEAT);
    reader.resume();
    await eventually(() => expect(writer.isIdle).toBe(true));
    await eventually(() => expect(received).toBe(MORE_THAN_IS_KEPT.length));
  });
});
