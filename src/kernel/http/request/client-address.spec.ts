import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { noteCallsOfSandbox } from '../../auth';
import { addressOf, clientAddress } from './client-address';

const OWN = '127.0.0.1';
const CLAIMED = '203.0.113.7';

/** A request as Express hands it over behind a reverse proxy, which has read the header. */
function forwarded(isOfSandbox: boolean): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: OWN });
  if (isOfSandbox) noteCallsOfSandbox(socket, null);
  const request = new IncomingMessage(socket);
  request.headers['x-forwarded-for'] = CLAIMED;
  return Object.assign(request, { ip: CLAIMED });
}

describe('the address of a request', () => {
  it('is what the reverse proxies in front say', () => {
    expect([addressOf(forwarded(false), 1), clientAddress(forwarded(false))]).toEqual([CLAIMED, CLAIMED]);
    expect(addressOf(forwarded(false), 0)).toBe(OWN);
  });

  it('is not what a sandbox says, which comes past them', () => {
    expect([addressOf(forwarded(true), 1), clientAddress(forwarded(true))]).toEqual([OWN, OWN]);
  });
});
