/**
 * The long form of the crash tests: rounds with one and two replicas in turn, every third with an agent server
 * that takes longer than a claim lasts, until one finds a message that was lost, doubled or reordered.
 *
 *   npm run test:crash -- --rounds 20
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { CrashRun, PATIENT, QUICK, type Disruption } from './crash-run';

const ALL: readonly Disruption[] = ['kill', 'step', 'step', 'pause', 'fault', 'fault', 'refuse', 'postgres'];
/** A replica that is stopped keeps its connections: what is slow then arrives late, which is the window that remains. */
const SLOW: readonly Disruption[] = ['outage', 'outage', 'kill', 'step', 'postgres', 'refuse'];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '20' } },
  });
  for (let round = 1; round <= Number(values.rounds); round++) {
    const isSlow = round % 3 === 0;
    const run = await CrashRun.prepare(isSlow ? PATIENT : QUICK);
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
