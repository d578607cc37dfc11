/**
 * Requests at a rate, reading and writing, to conversations that start, are streamed and end, for long: whether memory,
 * descriptors, connections and response times stay what they are. Samples each ten seconds; garbage is collected once a
 * minute, so that what is left of the heap can be compared. A machine may get slower meanwhile: response times are also
 * compared with those of a bare server over the same database, whose requests cost the same from the first to the last.
 * Service, database, agent server, bare server and the requests that are timed have processes of their own; this one reads
 * the streams. Needs the built service (`npm run build`).
 *
 *   npm run bench -- soak [--minutes 30] [--rate 100]
 */
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { options } from './options';
import { report } from './report';
import { Conversations } from './soak/conversations';
import { Installation } from './soak/installation';
import { type Minute, Minutes } from './soak/minutes';
import { type Sample, takeSample } from './soak/samples';
import { type Slope, slopeOf } from './soak/slopes';
import { TimedRequests } from './soak/timed-requests';
import { startYardstick } from './soak/yardstick';

const { minutes, rate } = options({ minutes: 30, rate: 100 });
const SAMPLE_SECONDS = 10;
const CONVERSATIONS = 20;
const CONVERSATION_SECONDS = 60;

/** Each quantity, with what does not count as a rise of it. */
function verdictOn(samples: readonly Sample[], perMinute: readonly Minute[]): Record<string, Slope> {
  const ofSamples = (value: (sample: Sample) => number, little: number): Slope =>
    slopeOf(samples.map(value), little);
  const ofMinutes = (value: (minute: Minute) => number, little: number): Slope =>
    slopeOf(perMinute.map(value), little);
  return {
    rssMebibytes: ofSamples(({ rssMebibytes }) => rssMebibytes, 8),
    heapInUseMebibytes: ofMinutes(({ heapInUse }) => heapInUse, 4),
    descriptors: ofSamples(({ descriptors }) => descriptors, 5),
    databaseConnections: ofSamples(({ databaseConnections }) => databaseConnections, 2),
    p99Ms: ofMinutes(({ p99Ms }) => p99Ms, 5),
    bareP99Ms: ofMinutes(({ bareP99Ms }) => bareP99Ms, 5),
    p99ToBare: ofMinutes(({ p99Ms, bareP99Ms }) => p99Ms / bareP99Ms, 0),
    serviceMsToBare: ofMinutes(({ serviceMs, bareMs }) => serviceMs / bareMs, 0),
    databaseMsToBare: ofMinutes(({ databaseMs, bareMs }) => databaseMs / bareMs, 0),
  };
}

async function run(installation: Installation): Promise<Record<string, unknown>> {
  const { db, service, key } = installation;
  const [{ id: orgId }] = await db.query<[{ id: string }]>('SELECT id FROM organizations');
  const yardstick = await startYardstick(installation);
  const timed = new TimedRequests({
    service: { url: service.url, key, orgId, perSecond: rate },
    bare: { url: yardstick.url, paths: yardstick.paths, perSecond: rate / 5 },
  });
  const conversations = new Conversations(installation, {
    atATime: CONVERSATIONS,
    seconds: CONVERSATION_SECONDS,
    onChange: (open) => timed.sendTo(open),
  });
  // Until as many conversations are open as there will be from then on.
  await pause(CONVERSATION_SECONDS * 1_000);
  const perMinute = await Minutes.begin(installation, yardstick, timed);
  const samples: Sample[] = [];
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  for (let n = 1; n * SAMPLE_SECONDS <= minutes * 60; n++) {
    await pause(Math.max(0, n * SAMPLE_SECONDS - seconds()) * 1_000);
    samples.push(await takeSample(installation, seconds()));
    if ((n * SAMPLE_SECONDS) % 60 === 0) await perMinute.end();
  }
  await conversations.stop();
  await timed.take();
  await timed.stop();
  yardstick.stop();
  const { started, ended, streamedEvents } = conversations;
  return {
    minutes,
    rate,
    conversationsAtATime: CONVERSATIONS,
    conversationSeconds: CONVERSATION_SECONDS,
    requests: timed.requests,
    conversations: { started, ended },
    streamedEvents,
    failures: Object.fromEntries([...conversations.failures, ...timed.failures]),
    verdict: verdictOn(samples, perMinute.all),
    perMinute: perMinute.all,
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
