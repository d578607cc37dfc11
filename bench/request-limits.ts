/**
 * The cost of counting requests: the organization list of a service with limits that are never reached, and of one
 * without, over one database, measured alternately in one run. What counts is the processor time of the service for a
 * request; on a busy machine it still differs by some percent from process to process, so the time of counting and of
 * making the headers is measured by itself too. Needs the built service (`npm run build`).
 *
 *   npm run bench -- request-limits [--seconds 3] [--rounds 7]
 */
import { rateLimitHeaders } from '../src/kernel/request-limits';
import { WindowCounts } from '../src/kernel/request-limits/window-counts';
import { MeasuredServices, medians, type Turn } from './measured-services';
import { options } from './options';
import { round } from './org-list-load';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const { seconds: SECONDS, rounds: ROUNDS } = options({ seconds: 3, rounds: 7 });
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 8;
const CALLS = 200_000;
const LIMITED = { READ_CALLS_PER_MINUTE: '1000000000' };

async function main(): Promise<void> {
  const services = await MeasuredServices.start();
  try {
    const limited = await services.replica('limited', LIMITED);
    const unlimited = await services.replica('unlimited', UNLIMITED);
    const load = { path: await services.listPath(limited), connections: CONNECTIONS, seconds: SECONDS };
    for (const one of [limited, unlimited]) await services.turn(one, { ...load, seconds: WARM_UP_SECONDS });
    const turns: { limited: Turn[]; unlimited: Turn[] } = { limited: [], unlimited: [] };
    for (let number = 0; number < ROUNDS; number++) {
      turns.unlimited.push(await services.turn(unlimited, load));
      turns.limited.push(await services.turn(limited, load));
    }
    const [on, off] = [medians(turns.limited), medians(turns.unlimited)];
    const percentOf = (part: number): number => round((part / off.cpuMicroseconds) * 100);
    const counting = countingMicroseconds();
    report('request-limits', {
      secondsPerTurn: SECONDS,
      rounds: ROUNDS,
      connections: CONNECTIONS,
      results: { limited: on, unlimited: off, countingMicroseconds: counting },
      percentOfRequest: {
        compared: percentOf(on.cpuMicroseconds - off.cpuMicroseconds),
        counting: percentOf(counting),
      },
    });
  } finally {
    await services.stop();
  }
}

/** The processor time of counting one request and of making its headers, by itself. */
function countingMicroseconds(): number {
  const counts = new WindowCounts(1_000_000_000);
  const once = (): void => {
    rateLimitHeaders(counts.add('key'));
    counts.isExhausted('address');
  };
  for (let call = 0; call < CALLS; call++) once();
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call++) once();
  const { user, system } = process.cpuUsage(before);
  return round((user + system) / CALLS);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
