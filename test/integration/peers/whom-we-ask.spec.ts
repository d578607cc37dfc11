import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { AgentServerClient } from '../../../src/sandboxes/agent-server';
import { callModel } from '../../../src/appliance/embedded-agent-server/conversations/model-calls';
import {
  AllowedHosts,
  CheckedHosts,
  Clock,
  finishPausedParsers,
  SystemHostLookup,
} from '../../../src/kernel/common';
import { ProviderSession } from '../../../src/agents/git-search/provider-calls/provider-session';
import { ContainerEnds } from '../../../src/drivers/docker/containers/container-ends';
import { Engine } from '../../../src/drivers/docker/engine';
import { ClusterApi } from '../../../src/drivers/kubernetes/cluster/cluster-api';
import { GitUpstream } from '../../../src/agents/skills/fetch/git-upstream';
import { Destinations } from '../../../src/agents/skills/git-proxy/tunnel';
import { GitProxy } from '../../../src/agents/skills/git-proxy/git-proxy';
import { CheckedAgents, WebhookAddresses } from '../../../src/outbound/webhooks/addresses/webhook-addresses';
import { CallbackSender } from '../../../src/outbound/webhooks/delivery/callback/callback-sender';
import { AskedPeer } from '../../support/peers/asked-peer';
import { HELD_UP, ODD } from '../../support/peers/bad-answers';
import { timeBound } from '../../support/time-bound';

/** How long one takes who reads slowly. */
const PAUSE_MS = 20;
const LONGEST_MS = 10_000;
const BODY = 'x'.repeat(256 * 1024);

beforeAll(finishPausedParsers);

const { signal } = new AbortController();
const hosts = (port: number): CheckedHosts =>
  new CheckedHosts(new AllowedHosts('ALLOWED', [`127.0.0.1:${port}`]), new SystemHostLookup());

async function readSlowly(body: AsyncIterable<unknown>): Promise<void> {
  for await (const piece of body) await sleep(PAUSE_MS, piece);
}

/** Who is asked, and how; each ends when the answer was read, or could not be. */
const WAYS: Readonly<Record<string, (url: string, port: number) => Promise<unknown>>> = {
  async 'a git host that is searched'(url) {
    const session = new ProviderSession(new URL(url), {
      addresses: ['127.0.0.1'],
      names: [],
      authorization: 'Basic eDp5',
      signal,
    });
    try {
      await session.get(['x']);
    } finally {
      await session.close();
    }
  },
  async 'a git host that a sandbox clones from'(url, port) {
    const upstream = new GitUpstream(new Destinations(hosts(port)));
    const sent = { headers: {}, body: Readable.from([Buffer.from(BODY)]), signal };
    const credential = { username: 'x', password: 'y', url_prefix: url };
    await readSlowly(await upstream.send(`${url}/r.git/git-upload-pack`, credential, sent));
  },
  async 'a git host that a git of ours fetches from'(url, port) {
    await throughProxy(port, async (proxy) => {
      const { port: at, username, password } = new URL(proxy);
      const outgoing = request({
        host: '127.0.0.1',
        port: at,
        path: `${url}/r.git`,
        method: 'POST',
        signal,
        headers: { 'Proxy-Authorization': `Basic ${btoa(`${username}:${password}`)}` },
      });
      outgoing.on('error', () => undefined).end(BODY);
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      await readSlowly(answer);
    });
  },
  async 'a git host in a tunnel'(_url, port) {
    await throughProxy(port, async (proxy) => {
      const { port: at, username, password } = new URL(proxy);
      const socket = connect(Number(at), '127.0.0.1');
      socket.write(
        `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nProxy-Authorization: Basic ${btoa(`${username}:${password}`)}\r\n\r\n`,
      );
      socket.once('data', () => socket.write(BODY));
      await readSlowly(socket);
    });
  },
  async 'a cluster that is watched'(url) {
    const api = new ClusterApi({
      server: url,
      namespace: 'default',
      isInside: false,
      credentials: () => Promise.resolve({ version: '1', tls: {}, headers: [] }),
    });
    try {
      await readSlowly(await api.stream('/x', {}, signal));
    } finally {
      await api.close();
    }
  },
  async 'a container engine'(_url, port) {
    const engine = new Engine({ DOCKER_HOST: `tcp://127.0.0.1:${port}`, DOCKER_CERT_PATH: undefined });
    await engine.use((docker) => docker.info(), 500);
  },
  async 'a container engine that tells of ends'(_url, port) {
    const engine = new Engine({ DOCKER_HOST: `tcp://127.0.0.1:${port}`, DOCKER_CERT_PATH: undefined });
    const ends = new ContainerEnds(engine, () => undefined);
    void ends.listen();
    await sleep(300);
    ends.close();
  },
  'a model': (url) => callModel({ url, isAllowed: true }, { headers: {}, body: BODY, signal }),
  async 'an agent server'(url) {
    const client = new AgentServerClient();
    try {
      await client.probes.serverInfo({ baseUrl: url, apiKey: 'key' });
    } finally {
      await client.onApplicationShutdown();
    }
  },
  async 'an agent server that gets a message'(url) {
    const client = new AgentServerClient();
    try {
      await client.run({ baseUrl: url, apiKey: 'key' }, 'x');
    } finally {
      await client.onApplicationShutdown();
    }
  },
  async 'a webhook'(url, port) {
    const agents = new CheckedAgents(new WebhookAddresses(hosts(port)));
    const sender = new CallbackSender(agents, new Clock());
    const callback = { deliveryId: 'x', url, body: BODY, secrets: ['whsec_c2VjcmV0c2VjcmV0c2VjcmV0'] };
    await sender.send(callback, signal).finally(() => agents.onApplicationShutdown());
  },
  async 'a collector of traces'(url) {
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: 500 });
    const processor = new BatchSpanProcessor(exporter, { exportTimeoutMillis: 500 });
    const provider = new NodeTracerProvider({ spanProcessors: [processor] });
    provider.getTracer('x').startSpan('x').end();
    await provider.forceFlush();
  },
  /** Of agent servers pre-warmed only the status counts. */
  async 'any other, by who does not read the answer'(url) {
    const { body } = await fetch(url, { signal });
    await sleep(200);
    // What it could not know is wrong with the rest.
    await body?.cancel().catch(() => undefined);
  },
};

async function throughProxy(port: number, use: (proxy: string) => Promise<void>): Promise<void> {
  const proxy = new GitProxy(new Destinations(hosts(port)));
  const opened = await proxy.open(1024 ** 3, () => undefined);
  try {
    await use(opened.url);
  } finally {
    opened.close();
    await proxy.onModuleDestroy();
  }
}

/** The library for engines throws for these, which only `outlivePeers` takes. */
const NOT_OF_ENGINES = /^a redirect to nowhere/;

/** A throw in an event of a socket fails the test that runs: nobody can catch it. */
describe.each(Object.entries(WAYS))('%s', (who, ask) => {
  it.each([
    ['more than is read', HELD_UP],
    ['what is no answer', ODD],
  ])('ends nobody else, and keeps nobody waiting, by %s', async (_what, all) => {
    const isEngine = who.includes('engine');
    const answers = all.filter(([name]) => !(isEngine && NOT_OF_ENGINES.test(name)));
    const waiting = await Promise.all(
      answers.map(async ([name, answer]) => {
        const peer = await AskedPeer.start(answer);
        const asked = ask(`http://127.0.0.1:${peer.port}`, peer.port).catch(() => undefined);
        const isOver = await Promise.race([
          asked.then(() => true),
          sleep(timeBound(LONGEST_MS), false, { ref: false }),
        ]);
        await peer.stop();
        return isOver ? [] : [name];
      }),
    );
    expect(waiting.flat()).toEqual([]);
  });
});
