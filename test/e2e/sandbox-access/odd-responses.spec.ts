import type { Duplex } from 'node:stream';
import { RawClient, rawRequest } from '../../support/sandbox-access/raw-client';
import { DoorService, type FarSandbox } from '../../support/sandbox-access/door-service';

let service: DoorService;
let sandbox: FarSandbox;
beforeAll(async () => {
  service = await DoorService.start();
  sandbox = await service.sandbox();
});
beforeEach(() => service.far.reset());
afterAll(() => service.close());

/** What the caller gets of a response that the far side sends byte by byte. */
const passed = async (answer: Buffer | string): Promise<string> => {
  service.far.answer = (request) => void (request.socket as Duplex).write(answer);
  const client = await RawClient.connect(service.app.url);
  const headers = [`X-Access-Token: ${service.owner.key}`, 'Connection: close'];
  client.socket.write(rawRequest(`GET ${sandbox.door}/x`, headers));
  await client.closed();
  return client.text;
};

describe('a response that is correct, if seldom', () => {
  it.each([
    ['UTF-8', Buffer.from('é ☃', 'utf8')],
    ['Latin-1', Buffer.from([0xe9])],
  ])('keeps the bytes of a file name in %s', async (_what, name) => {
    const parts = [
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Disposition: attachment; filename="'),
      name,
      Buffer.from('"\r\n\r\nok'),
    ];
    const answer = await passed(Buffer.concat(parts));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain(`filename="${name.toString('latin1')}"`);
    expect(answer).toMatch(/\r\n\r\nok$/);
  });

  it.each([304, 204])('%i passes, also with the length of what does not come', async (status) => {
    const answer = await passed(`HTTP/1.1 ${status} Any\r\nContent-Length: 5\r\nETag: "a"\r\n\r\n`);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain('"a"');
    expect(answer).not.toMatch(/content-length: 5/i);
  });
});
