import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { eventually } from '../../../../test/support/eventually';
import { ScriptedLookup } from '../../../../test/support/scripted-lookup';
import { AllowedHosts, CheckedHosts } from '../../../kernel/common';
import { CheckedAgents, WebhookAddresses } from './webhook-addresses';

describe('the connections of callbacks', () => {
  const lookup = new ScriptedLookup();
  let receiver: http.Server;
  let port: number;
  let canary: Server;
  let canaryPort: number;
  let touched = 0;
  let connections = 0;
  let agents: CheckedAgents;

  beforeAll(async () => {
    receiver = http.createServer((_request, response) => response.end('here'));
    receiver.on('connection', () => (connections += 1));
    canary = createServer((socket) => {
      touched += 1;
      socket.destroy();
    });
    for (const server of [receiver, canary]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    port = (receiver.address() as AddressInfo).port;
    canaryPort = (canary.address() as AddressInfo).port;
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    canary.close();
    await Promise.all([once(receiver, 'close'), once(canary, 'close')]);
  });

  beforeEach(() => {
    lookup.answers = [];
    lookup.asked.length = 0;
    touched = 0;
    connections = 0;
    const allowed = new AllowedHosts('WEBHOOK_ALLOWED_HOSTS', [
      `127.0.0.1:${port}`,
      `receiver.example:${port}`,
    ]);
    agents = new CheckedAgents(new WebhookAddresses(new CheckedHosts(allowed, lookup)));
  });
  afterEach(() => agents.onApplicationShutdown());

  async function get(url: string): Promise<string> {
    const request = url.startsWith('https:')
      ? https.get(url, { agent: agents.https })
      : http.get(url, { agent: agents.http });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return (await response.toArray()).join('');
  }

  it('go to hosts that the operator allows, and are used again', async () => {
    expect(await get(`http://receiver.example:${port}/`)).toBe('here');
    expect(await get(`http://receiver.example:${port}/`)).toBe('here');
    expect(connections).toBe(1);
    expect(await get(`http://127.0.0.1:${port}/`)).toBe('here');
  });

  it('are closed when they are idle for some seconds, though the other side would keep them', async () => {
    receiver.keepAliveTimeout = 0;
    const open = () => promisify(receiver.getConnections.bind(receiver))();
    await get(`http://receiver.example:${port}/`);
    expect(await open()).toBe(1);
    await eventually(async () => expect(await open()).toBe(0));
  });

  it('are checked anew, whatever the host was when it was saved', async () => {
    const addresses = new WebhookAddresses(new CheckedHosts(new AllowedHosts('ALLOWED', []), lookup));
    lookup.answers = [['140.82.112.3'], ['127.0.0.1']];
    const url = `https://rebinding.example:${canaryPort}/`;
    expect(await addresses.problemOf(new URL(url))).toBeNull();
    await expect(get(url)).rejects.toThrow('the host rebinding.example is not at a public address');
    expect(lookup.asked).toHaveLength(2);
    expect(touched).toBe(0);
  });

  it('ask for the name once, and go to what was checked', async () => {
    // 192.0.2.0/24 is set aside for documentation: refused, and so never contacted.
    lookup.answers = [['192.0.2.1'], ['127.0.0.1']];
    await expect(get(`https://rebinding.example:${canaryPort}/`)).rejects.toThrow('public address');
    expect(lookup.asked).toEqual(['rebinding.example']);
    expect(touched).toBe(0);
  });

  it.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::]',
    '0.0.0.0',
    '127.1',
    'localhost',
    'a.localhost',
  ])('do not reach this machine as %s', async (host) => {
    lookup.answers = [['127.0.0.1']];
    await expect(get(`https://${host}:${canaryPort}/`)).rejects.toThrow('public address');
    await expect(get(`http://${host}:${canaryPort}/`)).rejects.toThrow('by https only');
    expect(touched).toBe(0);
  });

  it('say that a host has no address', async () => {
    await expect(get('https://nowhere.example/')).rejects.toThrow('the host nowhere.example has no address');
  });

  it('are encrypted where the address is of https', async () => {
    const allowed = new AllowedHosts('ALLOWED', [`secure.example:${port}`]);
    const own = new CheckedAgents(new WebhookAddresses(new CheckedHosts(allowed, lookup)));
    const request = https.get(`https://secure.example:${port}/`, { agent: own.https });
    // The receiver answers plain HTTP to what begins as TLS.
    await expect(once(request, 'response')).rejects.toMatchObject({ code: 'EPROTO' });
    own.onApplicationShutdown();
  });
});
