/**
 * What telemetry costs a request: the organization list of services over one database that send nothing, are scraped every
 * second, trace all requests or one in ten, and do not log; measured alternately in one run, each in several processes, since
 * one may be a tenth slower than another of the same kind. What counts is the processor time of the service for a request,
 * against the one that logs and does nothing else. Needs the built service.
 *
 *   npm run bench -- observability [--seconds 3] [--rounds 3] [--processes 4]
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MeasuredService, MeasuredServices, medians, type Turn } from './measured-services';
import { options } from './options';
import { round } from './org-list-load';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const given = options({ seconds: 3, rounds: 3, processes: 4 });
const WARM_UP_SECONDS = 5;
const CONNECTIONS = 8;
const SCRAPE_MS = 1_000;

/** A way of being observed. */
interface Way {
  readonly env: Readonly<Record<string, string>>;
  readonly isScraped?: true;
  readonly turns: Turn[];
}

async function main(): Promise<void> {
  const services = await MeasuredServices.start();
  const collector = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_METRICS_EXPORTER: 'none' };
  const ways: Readonly<Record<string, Way>> = {
    off: { env: {}, turns: [] },
    scraped: { env: {}, isScraped: true, turns: [] },
    tracesOfAll: { env: { ...traces, OTEL_TRACES_SAMPLER: 'always_on' }, turns: [] },
    tracesOfATenth: {
      env: { ...traces, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      turns: [],
    },
    withoutLog: { env: { LOG_LEVEL: 'silent' }, turns: [] },
  };
  try {
    for (let n = 0; n < given.processes; n++) {
      // Each way is the first in its turn.
      const inOrder = Object.entries(ways);
      inOrder.push(...inOrder.splice(0, n % inOrder.length));
      await measureProcesses(services, inOrder, n);
    }
    const results = Object.fromEntries(
      Object.entries(ways).map(([name, { turns }]) => [name, medians(turns)]),
    );
    const cpuOfOff = results['off']?.cpuMicroseconds ?? NaN;
    report('observability', {
      ...given,
      connections: CONNECTIONS,
      scrapeMs: SCRAPE_MS,
      results,
      cpuOfOff: Object.fromEntries(
        Object.entries(results).map(([name, { cpuMicroseconds }]) => [
          name,
          round(cpuMicroseconds / cpuOfOff),
        ]),
      ),
    });
  } finally {
    await services.stop();
    collector.close();
    collector.closeAllConnections();
  }
}

/** Has a process of each way started, asked in turn, and ended. */
async function measureProcesses(
  services: MeasuredServices,
  ways: readonly (readonly [string, Way])[],
  number: number,
): Promise<void> {
  const started: (readonly [Way, MeasuredService])[] = [];
  for (const [name, way] of ways)
    started.push([way, await services.replica(`${name}-${number}`, { ...UNLIMITED, ...way.env })]);
  const path = await services.listPath(started[0]![1]);
  const load = { path, connections: CONNECTIONS, seconds: given.seconds };
  for (const [, service] of started) await services.turn(service, { ...load, seconds: WARM_UP_SECONDS });
  for (let round = 0; round < given.rounds; round++)
    for (const [way, service] of started)
      way.turns.push(await whileScraped(way, service, () => services.turn(service, load)));
  for (const [, service] of started) await services.end(service);
}

/** Scrapes a service meanwhile, if it is one that is scraped. */
async function whileScraped(
  { isScraped }: Way,
  { port }: MeasuredService,
  work: () => Promise<Turn>,
): Promise<Turn> {
  if (!isScraped) return work();
  const scrape = (): void =>
    void fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text());
  const timer = setInterval(scrape, SCRAPE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
