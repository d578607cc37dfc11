import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { noteCallsOfSandbox } from './session-cookie';
import { clientAddress, noteAddress } from './client-address';

const OWN = '127.0.0.1';

/** The address of a request that has come through some proxies, each of which adds what it knows to the header. */
function addressAfter(header: string, trustedHops: number, isOfSandbox = false): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: OWN });
  if (isOfSandbox) noteCallsOfSandbox(socket, null);
  const request = new IncomingMessage(socket);
  request.headers['x-forwarded-for'] = header;
  noteAddress(request, trustedHops);
  return clientAddress(request);
}

describe('the address of a request', () => {
  it('is what the trusted reverse proxies in front say, and no others', () => {
    const header = '203.0.113.7, 198.51.100.2,192.0.2.3';
    expect([0, 1, 2, 3, 4].map((hops) => addressAfter(header, hops))).toEqual([
      OWN,
      '192.0.2.3',
      '198.51.100.2',
      '203.0.113.7',
      '203.0.113.7',
    ]);
    expect(addressAfter('', 1)).toBe(OWN);
  });

  it('is not what a sandbox says, which comes past them', () => {
    expect(addressAfter('203.0.113.7', 1, true)).toBe(OWN);
  });

  it('is still known when the connection has ended', () => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: OWN, configurable: true });
    const request = new IncomingMessage(socket);
    noteAddress(request, 0);
    Object.defineProperty(socket, 'remoteAddress', { value: undefined });
    expect(clientAddress(request)).toBe(OWN);
  });
});
