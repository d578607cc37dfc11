/**
 * Requests at a rate, reading and writing, to conversations that start, are streamed and end, for long: whether memory,
 * descriptors, connections and response times stay what they are. Samples each ten seconds; garbage is collected once a
 * minute, so that what is left of the heap can be compared. The agent server runs in this process, of which nothing is
 * measured. Needs the built service (`npm run build`).
 *
 *   npm run bench -- soak [--minutes 30] [--rate 100]
 */
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { options } from './options';
import { quantile, round } from './org-list-load';
import { report } from './report';
import { Installation } from './soak/installation';
import { type Sample, takeSample } from './soak/samples';
import { slopeOf } from './soak/slopes';
import { Traffic } from './soak/traffic';

const { minutes, rate } = options({ minutes: 30, rate: 100 });
const SAMPLE_SECONDS = 10;
const CONVERSATIONS = 20;
const CONVERSATION_SECONDS = 60;

interface Minute {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** In MiB, right after garbage was collected. */
  readonly heapInUse: number;
}

async function run(installation: Installation): Promise<Record<string, unknown>> {
  const { db, service } = installation;
  const [{ id: orgId }] = await db.query<[{ id: string }]>('SELECT id FROM organizations');
  const traffic = new Traffic(installation, {
    perSecond: rate,
    conversations: CONVERSATIONS,
    conversationSeconds: CONVERSATION_SECONDS,
    orgId,
  });
  // Until as many conversations are open as there will be from then on.
  await pause(CONVERSATION_SECONDS * 1_000);
  traffic.take();
  const samples: Sample[] = [];
  const perMinute: Minute[] = [];
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  for (let n = 1; n * SAMPLE_SECONDS <= minutes * 60; n++) {
    await pause(Math.max(0, n * SAMPLE_SECONDS - seconds()) * 1_000);
    samples.push(await takeSample(installation, seconds()));
    if ((n * SAMPLE_SECONDS) % 60 !== 0) continue;
    const times = traffic.take();
    await service.memory();
    const { heapMebibytes: heapInUse } = await takeSample(installation, seconds());
    perMinute.push({
      requests: times.length,
      p50Ms: round(quantile(times, 0.5)),
      p99Ms: round(quantile(times, 0.99)),
      heapInUse,
    });
  }
  await traffic.stop();
  const { requests, started, ended, streamedEvents, failures } = traffic;
  return {
    minutes,
    rate,
    conversationsAtATime: CONVERSATIONS,
    conversationSeconds: CONVERSATION_SECONDS,
    requests,
    conversations: { started, ended },
    streamedEvents,
    failures: Object.fromEntries(failures),
    verdict: {
      rssMebibytes: slopeOf(
        samples.map(({ rssMebibytes }) => rssMebibytes),
        8,
      ),
      heapInUseMebibytes: slopeOf(
        perMinute.map(({ heapInUse }) => heapInUse),
        4,
      ),
      descriptors: slopeOf(
        samples.map(({ descriptors }) => descriptors),
        5,
      ),
      databaseConnections: slopeOf(
        samples.map(({ databaseConnections }) => databaseConnections),
        2,
      ),
      p99Ms: slopeOf(
        perMinute.map(({ p99Ms }) => p99Ms),
        5,
      ),
    },
    perMinute,
    samples,
  };
}

async function main(): Promise<void> {
  const installation = await Installation.start();
  try {
    report('soak', await run(installation));
  } finally {
    await installation.stop();
  }
}

void main();
