import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GitProviderUnavailableError } from './provider-answer';
import { ProviderSession } from './provider-session';

describe('a session at a provider', () => {
  let server: Server;
  let base: URL;
  const paths: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      paths.push(request.url ?? '');
      if (request.url?.startsWith('/api/slow')) response.writeHead(200).write('[');
      else if (request.url !== '/api/hangs') response.end('[]');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = new URL(`http://provider.invalid:${(server.address() as AddressInfo).port}/api`);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const session = (signal = new AbortController().signal) =>
    new ProviderSession(base, {
      addresses: ['127.0.0.1'],
      names: [],
      authorization: 'Bearer token',
      signal,
    });

  it.each(['hangs', 'slow'])('ends in time, and says that the provider does not answer: %s', async (path) => {
    const calls = session(AbortSignal.timeout(200));
    await expect(calls.get([path])).rejects.toBeInstanceOf(GitProviderUnavailableError);
    await calls.close();
  });

  it('connects to the checked addresses without asking for the name again', async () => {
    const calls = session();
    expect(await calls.get(['a b', 'c/d'], { q: 'x & "y"', page: null, size: 3 })).toMatchObject({
      body: [],
    });
    expect(paths).toContain('/api/a%20b/c%2Fd?q=x+%26+%22y%22&size=3');
    await calls.close();
  });
});
