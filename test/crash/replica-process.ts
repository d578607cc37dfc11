/**
 * A replica in a process of its own, to be killed. Commands over IPC say what to queue and at which step to die.
 */
import 'reflect-metadata';
import { z } from 'zod';
import type { FaultPoint } from '../../src/kernel/leases';
import { callerOf, PlannedSandboxes, QueueReplica } from '../support/queue/queue-replica';

const start = z.object({
  databaseUrl: z.string(),
  server: z.object({ baseUrl: z.string(), apiKey: z.string() }),
  env: z.record(z.string(), z.string()),
  /** By queue: the step at which its first delivery hangs. */
  pausesAt: z.record(z.string(), z.string()).default({}),
});

const commandSchema = z.union([
  z.object({
    add: z.object({ call: z.number(), userId: z.string(), conversationId: z.string(), content: z.string() }),
  }),
  z.object({ dieAt: z.string(), after: z.number() }),
  z.object({ stopFor: z.number() }),
]);

let dieAt: string | undefined;
let left = 0;

async function main(): Promise<void> {
  const { databaseUrl, server, env, pausesAt } = start.parse(JSON.parse(process.argv[2] ?? ''));
  const onStep = (step: FaultPoint, queueId = ''): Promise<void> | void => {
    if (step === dieAt && left-- <= 0) process.kill(process.pid, 'SIGKILL');
    if (step !== pausesAt[queueId]) return;
    process.send?.({ held: queueId });
    return new Promise(() => undefined);
  };
  const replica = await QueueReplica.start({
    databaseUrl,
    sandboxes: new PlannedSandboxes(server),
    env,
    onStep,
  });
  process.on('message', (message) => {
    const command = commandSchema.parse(message);
    if ('stopFor' in command) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, command.stopFor);
      return;
    }
    if ('dieAt' in command) {
      dieAt = command.dieAt;
      left = command.after;
      return;
    }
    const { call, userId, conversationId, content } = command.add;
    replica.messages.add(callerOf(userId), conversationId, content).then(
      ({ id }) => process.send?.({ call, id }),
      (error: unknown) => process.send?.({ call, error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ ready: true });
}

// As the service does when PostgreSQL is away while it starts; another replica takes its place.
main().catch(() => process.exit(1));
