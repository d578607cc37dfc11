import type { Socket } from 'node:net';
import { eventually } from '../../support/eventually';
import { RawClient, rawRequest } from '../../support/sandbox-access/raw-client';
import { standstill } from '../../support/sandbox-access/standstill';
import { DoorService, type FarSandbox } from '../../support/sandbox-access/door-service';

/** So much that it is held up, and no more than is read at once. */
const BODY = 'x'.repeat(48 * 1024);
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

let service: DoorService;
let sandbox: FarSandbox;
beforeAll(async () => {
  service = await DoorService.start();
  sandbox = await service.sandbox();
});
beforeEach(() => service.far.reset());
afterAll(() => service.close());

/**
 * Asks twice on one connection. The second answer is held up by the first, which does not end.
 * @returns the caller, what ends the first answer, and the connection of the second
 */
async function heldUp(header: string, body: string): Promise<[RawClient, () => void, Socket]> {
  let endFirst = (): void => undefined;
  const second = new Promise<Socket>((resolve) => {
    service.far.answer = ({ url, socket }, response) => {
      if (url === '/first') {
        response.write('the first');
        endFirst = () => void response.end();
        return;
      }
      socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n${header}\r\n\r\n${body}`);
      resolve(socket);
    };
  });
  const caller = await RawClient.connect(service.app.url);
  const headers = [`X-Access-Token: ${service.owner.key}`];
  caller.socket.write(rawRequest(`GET ${sandbox.door}/first`, headers));
  await caller.has('the first');
  caller.socket.write(rawRequest(`GET ${sandbox.door}/second`, headers));
  const socket = await second;
  await settled();
  return [caller, () => endFirst(), socket];
}

/** Until what is on its way has come, and was dealt with. */
const settled = (): Promise<number> => standstill(service.app.url, () => 1);

describe.each([
  ['a length', `Content-Length: ${BODY.length}`, BODY],
  ['chunks', 'Transfer-Encoding: chunked', CHUNKS],
  ['no end but that of the connection', 'X-Any: 1', BODY],
])('an answer that has %s and is held up', (_framing, header, body) => {
  it('comes whole where the agent server closes the connection', async () => {
    const [caller, endFirst, far] = await heldUp(header, body);
    far.end();
    await settled();
    endFirst();
    await eventually(() => expect(caller.text).toContain(BODY));
    caller.socket.destroy();
  });

  it('comes whole or is cut off where the agent server resets the connection', async () => {
    const [caller, endFirst, far] = await heldUp(header, body);
    far.resetAndDestroy();
    await settled();
    endFirst();
    await eventually(() => expect(caller.isClosed || caller.text.includes(BODY)).toBe(true));
    caller.socket.destroy();
  });
});
