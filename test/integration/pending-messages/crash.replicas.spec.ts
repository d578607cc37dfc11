import {
  type CrashReport,
  CrashRun,
  LONG_CALLS,
  SHORT_CALLS,
  type Times,
  type Disruption,
} from '../../crash/crash-run';
import { isLong } from '../../support/rounds';

type Run = [title: string, replicas: number, disruptions: Disruption[], times: Times];

const SECONDS = 9;
const RUNS: Run[] = [
  [
    'one of two replicas is killed or stopped for longer than its lease, and PostgreSQL restarts',
    2,
    ['kill', 'step', 'pause', 'postgres', 'fault', 'refuse'],
    SHORT_CALLS,
  ],
];
const LONG_RUNS: Run[] = [
  [
    'a budget is exhausted and deleted again, and one of two replicas is killed meanwhile',
    2,
    ['budget', 'step'],
    SHORT_CALLS,
  ],
  [
    'one replica is killed, also at each step of a delivery, and PostgreSQL restarts',
    1,
    ['kill', 'step', 'postgres', 'fault'],
    SHORT_CALLS,
  ],
  [
    'PostgreSQL restarts or is out of reach for longer than a lease, and the agent server takes even longer',
    2,
    ['outage', 'postgres'],
    LONG_CALLS,
  ],
];

/** The short form of `npm run test:crash`. */
describe('messages to 20 conversations', () => {
  let run: CrashRun | undefined;
  afterEach(() => run?.close());

  it.each([...RUNS, ...(isLong ? LONG_RUNS : [])])(
    'are delivered once and in order, or have visibly failed, when %s',
    async (_, replicas, disruptions, times) => {
      run = await CrashRun.prepare(times);
      const report: CrashReport = await run.perform(replicas, SECONDS, disruptions);
      expect(report.violations).toEqual([]);
      expect(Object.keys(report.disruptions).sort()).toEqual([...disruptions].sort());
      expect(report.delivered).toBeGreaterThan(50);
      expect(report.delivered + report.failed).toBe(report.accepted);
    },
    600_000, // it goes on until each disruption has met enough messages
  );
});
