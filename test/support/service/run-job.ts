import type { INestApplicationContext } from '@nestjs/common';
import { JobHandlers } from '../../../src/kernel/jobs';

/** Does a job in a service that takes none, as its worker would. */
export async function runJob(app: INestApplicationContext, name: string, payload: unknown): Promise<void> {
  await app.get(JobHandlers).run(payload, {
    id: '1',
    name,
    attempt: 1,
    maxAttempts: 1,
    lease: { fence: 1, isHeld: () => true, assertHeld: () => undefined },
    signal: new AbortController().signal,
  });
}
