/**
 * A replica that makes callbacks, in a process of its own, to be killed. Commands over IPC say at which step to die.
 */
import 'reflect-metadata';
import { z } from 'zod';
import type { FaultPoint } from '../../src/kernel/leases';
import { startWebhookReplica } from '../support/webhooks/webhook-replica';

const start = z.object({
  databaseUrl: z.string(),
  host: z.string(),
  leaseSeconds: z.number(),
  secretKey: z.string(),
  dieAt: z.string().optional(),
  /** By lane: the step at which its first delivery hangs. */
  pausesAt: z.record(z.string(), z.string()),
});

const command = z.object({ dieAt: z.string(), after: z.number() });

let dieAt: string | undefined;
let left = 0;

async function main(): Promise<void> {
  const { dieAt: first, pausesAt, ...options } = start.parse(JSON.parse(process.argv[2] ?? ''));
  dieAt = first;
  const onStep = (step: FaultPoint, lane = ''): Promise<void> | void => {
    if (step === dieAt && left-- <= 0) process.kill(process.pid, 'SIGKILL');
    if (step !== pausesAt[lane]) return;
    process.send?.({ held: lane });
    return new Promise(() => undefined);
  };
  await startWebhookReplica({ ...options, onStep });
  process.on('message', (message) => {
    const { dieAt: step, after } = command.parse(message);
    dieAt = step;
    left = after;
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ ready: true });
}

main().catch(() => process.exit(1));
