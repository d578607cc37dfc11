/**
 * The long form of the crash tests: rounds that alternate between one and two replicas, every third with an agent
 * server that takes longer than a lease lasts, until one finds a message that was lost, duplicated or reordered.
 *
 *   npm run test:crash -- --rounds 20
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { CrashRun, LONG_CALLS, SHORT_CALLS, type Disruption } from './crash-run';

const ALL: readonly Disruption[] = ['kill', 'step', 'step', 'pause', 'fault', 'fault', 'refuse', 'postgres'];
/** A suspended replica keeps its connections, so slow calls arrive late: the documented window. */
const SLOW: readonly Disruption[] = ['outage', 'outage', 'kill', 'step', 'postgres', 'refuse'];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '20' } },
  });
  for (let round = 1; round <= Number(values.rounds); round++) {
    const isSlow = round % 3 === 0;
    const run = await CrashRun.prepare(isSlow ? LONG_CALLS : SHORT_CALLS);
    try {
      const report = await run.perform(1 + (round % 2), Number(values.seconds), isSlow ? SLOW : ALL);
      console.log(`round ${round}: ${JSON.stringify(report)}`);
      if (report.violations.length > 0) process.exitCode = 1;
    } finally {
      await run.close();
    }
    if (process.exitCode === 1) return;
  }
}

void main();
