/**
 * What telemetry costs a request: the organization list of services over one database that send nothing, are scraped every
 * second, trace all requests or one in ten, and do not log; measured alternately in one run. What counts is the processor
 * time of the service for a request, against the one that logs and does nothing else. Needs the built service.
 *
 *   npm run bench -- observability [--seconds 3] [--rounds 7]
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MeasuredService, MeasuredServices, medians, type Turn } from './measured-services';
import { options } from './options';
import { round } from './org-list-load';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const { seconds: SECONDS, rounds: ROUNDS } = options({ seconds: 3, rounds: 7 });
const WARM_UP_SECONDS = 5;
const CONNECTIONS = 8;
const SCRAPE_MS = 1_000;

/** A service in a way of being observed. */
interface Observed {
  readonly service: MeasuredService;
  readonly isScraped: boolean;
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
  let replicas = 0;
  const observed = async (env: Readonly<Record<string, string>>, isScraped = false): Promise<Observed> => ({
    service: await services.replica(`replica-${++replicas}`, { ...UNLIMITED, ...env }),
    isScraped,
    turns: [],
  });
  try {
    const ways = {
      off: await observed({}),
      scraped: await observed({}, true),
      tracesOfAll: await observed({ ...traces, OTEL_TRACES_SAMPLER: 'always_on' }),
      tracesOfATenth: await observed({
        ...traces,
        ...{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      }),
      withoutLog: await observed({ LOG_LEVEL: 'silent' }),
    };
    const path = await services.listPath(ways.off.service);
    const load = { path, connections: CONNECTIONS, seconds: SECONDS };
    for (const { service } of Object.values(ways))
      await services.turn(service, { ...load, seconds: WARM_UP_SECONDS });
    for (let number = 0; number < ROUNDS; number++)
      for (const one of Object.values(ways))
        one.turns.push(await whileScraped(one, () => services.turn(one.service, load)));
    const results = Object.fromEntries(
      Object.entries(ways).map(([name, { turns }]) => [name, medians(turns)]),
    );
    const baseline = medians(ways.off.turns);
    report('observability', {
      ...{ secondsPerTurn: SECONDS, rounds: ROUNDS, connections: CONNECTIONS, scrapeMs: SCRAPE_MS },
      results,
      cpuOfOff: Object.fromEntries(
        Object.entries(results).map(([name, { cpuMicroseconds }]) => [
          name,
          round(cpuMicroseconds / baseline.cpuMicroseconds),
        ]),
      ),
    });
  } finally {
    await services.stop();
    collector.close();
    collector.closeAllConnections();
  }
}

/** Scrapes a service meanwhile, if it is one that is scraped. */
async function whileScraped({ service, isScraped }: Observed, work: () => Promise<Turn>): Promise<Turn> {
  if (!isScraped) return work();
  const scrape = (): void =>
    void fetch(`http://127.0.0.1:${service.port}/metrics`).then((response) => response.text());
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
