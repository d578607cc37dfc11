/** A replica that makes calls of models, in a process of its own, to be killed between a reservation and its settlement. */
import 'reflect-metadata';
import { z } from 'zod';
import { ModelCalls } from '../../src/agents/budgets';
import { createApp } from '../../src/app.setup';
import { readSettings } from '../../src/kernel/config';
import { gatherExtensions } from '../../src/operations/extensions';

const start = z.object({
  databaseUrl: z.string(),
  secretKey: z.string(),
  conversationId: z.string(),
  /** How many calls it makes; each costs a dollar at most. */
  calls: z.number(),
});

async function main(): Promise<void> {
  const { databaseUrl, secretKey, conversationId, calls } = start.parse(JSON.parse(process.argv[2] ?? ''));
  const app = await createApp({
    settings: readSettings({
      LOG_LEVEL: 'error',
      SECRET_KEY: secretKey,
      DATABASE_URL: databaseUrl,
      APP_ROLE: 'api',
    }),
    databaseUrl,
    secretKey,
    hostId: 'calling-replica',
    extensions: await gatherExtensions([], { EXTENSIONS: '' }),
  });
  await app.init();
  process.on('disconnect', () => process.exit(0));
  const made = app.get(ModelCalls);
  const call = { conversationId, model: 'openai/gpt-test', provider: 'openai', mostCost: 1, mostTokens: 10 };
  await Promise.all(Array.from({ length: calls }, () => made.reserve(call)));
  process.send?.({ reserved: calls });
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
