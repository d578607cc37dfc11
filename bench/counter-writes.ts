/**
 * What the counters add to an update of a conversation: eight writers on one organization change cost, tokens
 * and status of their own conversations, alternating between short rounds with and without the triggers; the
 * median round of each counts.
 *
 *   DATABASE_URL=postgres://… npm run bench -- counter-writes [--json] [--seconds 2] [--rounds 15]
 *
 * The triggers are disabled at times: never run it on a database in use. Fill one with `npm run bench:seed` first.
 */
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { rebuildConversationCounts } from '../src/conversations/conversations/org-list/counters/counter-rebuild';
import { createDataSource } from '../src/kernel/database';

const WRITERS = 8;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '15' },
  },
});

/** What an agent server's state events change; every third one changes the status as well. */
const UPDATE = `
  UPDATE conversations
     SET accumulated_cost = accumulated_cost + 0.001, prompt_tokens = prompt_tokens + 100,
         completion_tokens = completion_tokens + 10, updated_at = now(),
         execution_status = CASE WHEN $2 THEN CASE execution_status WHEN 'idle' THEN 'running' ELSE 'idle' END
                                 ELSE execution_status END
   WHERE id = $1`;

async function updatesPerSecond(writers: readonly Client[], ids: readonly string[]): Promise<number> {
  let updates = 0;
  const began = performance.now();
  const end = began + Number(values.seconds) * 1_000;
  await Promise.all(
    writers.map(async (client, writer) => {
      for (let n = writer; performance.now() < end; n += WRITERS) {
        await client.query(UPDATE, [ids[n % ids.length], n % 3 === 0]);
        updates += 1;
      }
    }),
  );
  return Math.round(updates / ((performance.now() - began) / 1_000));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

async function main(databaseUrl: string): Promise<void> {
  const writers = Array.from({ length: WRITERS }, () => new Client(databaseUrl));
  await Promise.all(writers.map((client) => client.connect()));
  const [admin] = writers as [Client, ...Client[]];
  const { rows } = await admin.query<{ id: string }>(
    `SELECT id FROM conversations WHERE deleted_at IS NULL AND org_id =
       (SELECT org_id FROM conversation_counts WHERE day = '-infinity'
         GROUP BY 1 ORDER BY sum(conversations) DESC LIMIT 1) ORDER BY id LIMIT 20000`,
  );
  const ids = rows.map(({ id }) => id);
  const turns = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const kind of ['without', 'with'] as const) {
      await admin.query(`ALTER TABLE conversations ${kind === 'with' ? 'ENABLE' : 'DISABLE'} TRIGGER USER`);
      turns[kind].push(await updatesPerSecond(writers, ids));
      await admin.query('SELECT conversation_counts_fold(1000000), usage_fold(1000000, 1000, 1000)');
    }
  await Promise.all(writers.map((client) => client.end()));
  const dataSource = await createDataSource(databaseUrl, 1).initialize();
  await rebuildConversationCounts(dataSource);
  await dataSource.destroy();
  const found = { with: median(turns.with), without: median(turns.without) };
  const result = {
    measuredAt: new Date().toISOString(),
    machine: {
      node: process.version,
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
    },
    writers: WRITERS,
    secondsEach: Number(values.seconds),
    medianOfRounds: Number(values.rounds),
    turns,
    updatesPerSecond: found,
    countersAddPercent: Math.round((found.without / found.with - 1) * 1_000) / 10,
  };
  if (values.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else console.table([{ ...found, countersAddPercent: result.countersAddPercent }]);
}

const url = process.env.DATABASE_URL;
if (url === undefined) throw new Error('Set DATABASE_URL to a database that bench:seed has filled.');
main(url).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
