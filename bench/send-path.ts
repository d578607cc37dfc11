/**
 * The cost of one call to an agent server for the calling process, by HTTP client. The other side is a bare server
 * in a worker thread that responds as the events route does, so that only the clients differ. All are measured
 * alternately in several rounds and the best round counts, because other load on the machine only makes one slower.
 *
 *   npm run bench -- send-path [--seconds 2]
 */
import { Agent, request as nodeRequest } from 'node:http';
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import { AgentServerClient } from '../src/sandboxes/agent-server';
import { options } from './options';
import { report } from './report';

const { seconds: SECONDS } = options({ seconds: 2 });
const ROUNDS = 5;
const ID = '720860e7-e485-4395-ba7e-f71b5f082fcb';
const PATH = `/api/conversations/${ID}/events`;
const BODY = JSON.stringify({
  role: 'user',
  content: [{ type: 'text', text: 'Please fix the failing test. '.repeat(8) }],
  run: true,
});
const HEADERS = { 'x-session-api-key': 'bench-key', 'content-type': 'application/json' };

const SERVER = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 16 });
    response.end('{"success":true}');
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

type Send = () => Promise<void>;

function viaNode(port: number, agent: Agent): Send {
  return () =>
    new Promise((resolve, reject) => {
      const headers = { ...HEADERS, 'content-length': Buffer.byteLength(BODY) };
      const options = { host: '127.0.0.1', port, path: PATH, method: 'POST', headers, agent };
      const call = nodeRequest(options, (response) => {
        response.resume();
        response.on('end', resolve);
      });
      call.on('error', reject);
      call.end(BODY);
    });
}

/** Calls per second, and the median and 99th percentile of their duration in milliseconds. */
interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

async function measure(send: Send, connections: number): Promise<Measured> {
  const times: number[] = [];
  const run = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      const start = performance.now();
      await send();
      times.push(performance.now() - start);
    }
  };
  const all = (seconds: number) => {
    const until = performance.now() + seconds * 1000;
    return Promise.all(Array.from({ length: connections }, () => run(until)));
  };
  await all(0.5);
  times.length = 0;
  await all(SECONDS);
  times.sort((a, b) => a - b);
  const at = (share: number): number => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(3));
  return { perSecond: Math.round(times.length / SECONDS), p50: at(0.5), p99: at(0.99) };
}

async function main(): Promise<void> {
  const worker = new Worker(SERVER, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const url = `http://127.0.0.1:${port}`;
  const client = new AgentServerClient();
  const pool = new Pool(url);
  const agent = new Agent({ keepAlive: true });
  const ways: Record<string, Send> = {
    'AgentServerClient.sendMessage': async () => {
      const outcome = await client.sendMessage({ baseUrl: url, apiKey: 'bench-key' }, ID, BODY, 30_000);
      if (outcome.kind !== 'delivered') throw new Error(outcome.kind);
    },
    'undici request': async () => {
      const { body } = await pool.request({ path: PATH, method: 'POST', headers: HEADERS, body: BODY });
      await body.text();
    },
    'node:http': viaNode(port, agent),
    fetch: async () => {
      const response = await fetch(url + PATH, { method: 'POST', headers: HEADERS, body: BODY });
      await response.text();
    },
  };
  const results: unknown[] = [];
  for (const connections of [1, 16]) {
    const best = new Map<string, Measured>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [way, send] of Object.entries(ways)) {
        const measured = await measure(send, connections);
        if (measured.perSecond > (best.get(way)?.perSecond ?? 0)) best.set(way, measured);
      }
    }
    for (const [way, measured] of best) results.push({ way, connections, ...measured });
  }
  report('send-path', { secondsEach: SECONDS, bestOfRounds: ROUNDS, results });
  agent.destroy();
  await Promise.all([client.onApplicationShutdown(), pool.destroy(), worker.terminate()]);
}

void main();
