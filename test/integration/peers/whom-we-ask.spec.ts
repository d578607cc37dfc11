import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { AgentServerClient } from '../../src/agent-server';
import { callModel } from '../../src/agent-server/embedded/conversations/model-calls';
import { finishPausedParsers } from '../../src/common';
import { ProviderSession } from '../../src/git-search/provider-calls/provider-session';
import { ClusterApi } from '../../src/sandboxes/drivers/kubernetes/cluster/cluster-api';

/** As much as is read at once, and more than is held for who reads slowly. */
const SIZES = [64 * 1024, 1024 * 1024];

/** Whoever is asked. */
let peer: Server;
let answer: (socket: Socket) => void;
let url: string;

beforeAll(async () => {
  finishPausedParsers();
  peer = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => peer.close(resolve)));

const cluster = (): ClusterApi =>
  new ClusterApi({
    ...{ server: url, namespace: 'default', isInside: false },
    credentials: () => Promise.resolve({ version: '1', tls: {}, headers: [] }),
  });

/** Ways to ask, by whom is asked; each ends when the answer was read, or could not be. */
const WAYS: Record<string, () => Promise<unknown>> = {
  async 'a git host'() {
    const session = new ProviderSession(new URL(url), {
      ...{ addresses: ['127.0.0.1'], names: [], authorization: 'Basic eDp5' },
      signal: AbortSignal.timeout(10_000),
    });
    await session.get(['x']).finally(() => session.close());
  },
  async 'a cluster that is watched, by who has other things to do'() {
    const api = cluster();
    try {
      for await (const chunk of await api.stream('/x', {}, AbortSignal.timeout(10_000)))
        await sleep(chunk.length > 0 ? 20 : 0);
    } finally {
      await api.close();
    }
  },
  'a model': () =>
    callModel({ url, isConfigured: true }, { headers: {}, body: '{}', signal: AbortSignal.timeout(10_000) }),
  async 'an agent server'() {
    const client = new AgentServerClient();
    await client.probes
      .serverInfo({ baseUrl: url, apiKey: 'key' })
      .finally(() => client.onApplicationShutdown());
  },
  /** Of webhooks, and of agent servers made ahead, only the status counts. */
  async 'any other, by who does not read the answer'() {
    expect((await fetch(url)).ok).toBe(true);
    await sleep(200);
  },
};

const ENDS: Record<string, (socket: Socket) => void> = {
  'closes the connection': (socket) => socket.end(),
  'closes the connection a moment later': (socket) => void setTimeout(() => socket.end(), 50),
  'resets the connection': (socket) => void turn().then(() => socket.resetAndDestroy()),
  'resets the connection a moment later': (socket) => void setTimeout(() => socket.resetAndDestroy(), 50),
};

/** A throw in an event of a socket fails the test that runs: nobody can catch it. */
describe.each(Object.entries(WAYS))('%s', (_who, ask) => {
  it.each(Object.entries(ENDS))('%s, and nobody else ends', async (_how, end) => {
    for (const size of SIZES)
      for (const header of [`Content-Length: ${size}`, `Content-Length: ${size + 1}`, 'X-Any: 1']) {
        answer = (socket) => {
          socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n${header}\r\n\r\n${'x'.repeat(size)}`);
          end(socket);
        };
        await ask().catch(() => undefined);
      }
  });
});
