/** A process with one worker, for tests that kill or stop it. Writes a line when a job begins and ends. */
import 'reflect-metadata';
import { z } from 'zod';
import { startWorker } from './worker';

const url = process.argv[2]!;
const leaseSeconds = Number(process.argv[3]);

void startWorker(url, leaseSeconds, (handlers) => {
  handlers.register('work', z.object({ ms: z.number() }), async ({ ms }, job) => {
    console.log(`begin ${job.lease.fence}`);
    const until = performance.now() + ms;
    while (performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(`end ${job.lease.fence} ${job.lease.isHeld() ? 'held' : 'lost'}`);
  });
}).then(() => console.log('ready'));
