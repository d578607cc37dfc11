import { type CrashReport, CrashRun, PATIENT, QUICK, type Times, type Disruption } from '../../crash/crash-run';

const SECONDS = 9;

/** The short form of `npm run test:crash`. */
describe('messages to 20 conversations', () => {
  let run: CrashRun | undefined;
  afterEach(() => run?.close(), 60_000);

  it.each<[string, number, Disruption[], Times]>([
    [
      'one replica is killed, also at each step of a delivery, and PostgreSQL restarts',
      1,
      ['kill', 'step', 'postgres', 'fault'],
      QUICK,
    ],
    [
      'one of two replicas is killed or stopped for longer than its lease, and PostgreSQL restarts',
      2,
      ['kill', 'step', 'pause', 'postgres', 'fault', 'refuse'],
      QUICK,
    ],
    [
      'PostgreSQL restarts or is out of reach for longer than a claim, and the agent server takes even longer',
      2,
      ['outage', 'postgres'],
      PATIENT,
    ],
  ])(
    'are delivered once and in order, or have visibly failed, when %s',
    async (_, replicas, troubles, times) => {
      run = await CrashRun.prepare(times);
      const report: CrashReport = await run.perform(replicas, SECONDS, troubles);
      expect(report.violations).toEqual([]);
      expect(Object.keys(report.troubles).sort()).toEqual([...troubles].sort());
      expect(report.delivered).toBeGreaterThan(50);
      expect(report.delivered + report.failed).toBe(report.accepted);
    },
    150_000,
  );
});
