/**
 * A replica that does jobs, in a process of its own, to be killed: it dies at a step of an erasure.
 */
import 'reflect-metadata';
import { z } from 'zod';
import { PersonsModule } from '../../src/accounts/persons';
import { createApp } from '../../src/app.setup';
import { FaultPoints } from '../../src/kernel/leases';
import { readSettings } from '../../src/kernel/config';
import { gatherExtensions } from '../../src/operations/extensions';

const start = z.object({
  databaseUrl: z.string(),
  secretKey: z.string(),
  /** Null for one that lives. */
  dieAt: z.string().nullable(),
});

async function main(): Promise<void> {
  const { databaseUrl, secretKey, dieAt } = start.parse(JSON.parse(process.argv[2] ?? ''));
  const app = await createApp({
    settings: readSettings({
      LOG_LEVEL: 'error',
      SECRET_KEY: secretKey,
      DATABASE_URL: databaseUrl,
      JOB_LEASE_SECONDS: '2',
    }),
    databaseUrl,
    secretKey,
    hostId: 'erasure-replica',
    extensions: await gatherExtensions([], { EXTENSIONS: '' }),
  });
  Object.assign(app.select(PersonsModule).get(FaultPoints, { strict: true }), {
    reached: (_: string, step: string) => {
      process.send?.({ step });
      if (step === dieAt) process.kill(process.pid, 'SIGKILL');
    },
  });
  process.on('disconnect', () => process.exit(0));
  await app.listen(0, '127.0.0.1');
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
