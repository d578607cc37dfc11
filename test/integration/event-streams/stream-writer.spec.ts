import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MEBIBYTE } from '../../../src/common';
import { StreamWriter } from '../../../src/event-streams/connections/stream-writer';
import { eventually } from '../../support/eventually';

/** More than the system keeps of a connection that nobody reads. */
const MORE_THAN_IS_KEPT = Buffer.alloc(64 * MEBIBYTE, '.');
const FRAME = Buffer.alloc(100 * 1024, '.');
const BEAT = ': heartbeat\n\n';

/** Heartbeats in which nothing is taken, in two minutes. */
const STILL_BEATS = 8;

describe('the writer of a stream', () => {
  let server: Server;
  let reader: IncomingMessage;
  let writer: StreamWriter;
  let closed: jest.Mock;
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
    const [, response] = await arrived;
    closed = jest.fn();
    writer = new StreamWriter(response, closed);
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

  it('lets a reader lag by 256 KiB beyond the frame that is being written, and by no more', async () => {
    expect(await inTurns([MORE_THAN_IS_KEPT, FRAME, FRAME, FRAME, FRAME])).toEqual([
      ...[true, true, true, true],
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
      ...[true, true, true, true],
      false,
    ]);
  });

  it('gives a reader up that takes nothing for two minutes, and not one that has nothing to take', async () => {
    for (let n = 0; n < 3 * STILL_BEATS; n++) {
      expect(writer.beat(BEAT)).toBe(true);
      await eventually(() => expect(writer.isIdle).toBe(true));
    }
    writer.write(MORE_THAN_IS_KEPT);
    let beats = 0;
    await eventually(() => {
      beats++;
      expect(writer.beat(BEAT)).toBe(false);
    });
    expect(beats).toBeGreaterThan(STILL_BEATS);
  });

  it('counts a reader as alive as long as it takes a little between heartbeats', async () => {
    writer.write(MORE_THAN_IS_KEPT);
    for (let n = 0; n < 3 * STILL_BEATS; n++) {
      const before = received;
      reader.resume();
      await eventually(() => expect(received).toBeGreaterThan(before + MEBIBYTE));
      reader.pause();
      expect(writer.beat(BEAT)).toBe(true);
    }
  });
});
