import type { INestApplicationContext } from '@nestjs/common';
import { JobHandlers } from '../../../src/kernel/jobs';
import { eventually } from '../eventually';

/** How many times as often as in production a job recurs of which a test waits for what it finds. */
const FASTER = 10;

/** A database, by whatever it is asked. */
interface Queried {
  query(sql: string, values: unknown[]): Promise<unknown>;
}

/**
 * Has a recurring job run now, and waits for the end of that run. It is not asked for while the job runs: at its end
 * a run plans the next one, in place of any that was asked for meanwhile.
 */
export async function runNow(db: Queried, name: string): Promise<void> {
  const key = `every:${name}`;
  const planned = `FROM graphile_worker.jobs WHERE key = $1 AND locked_at IS NULL AND run_at > now()`;
  await eventually(async () => {
    const sql = `SELECT graphile_worker.add_job($2, job_key => $1) ${planned}`;
    expect(await db.query(sql, [key, name])).toHaveLength(1);
  });
  await eventually(async () => expect(await db.query(`SELECT 1 ${planned}`, [key])).toHaveLength(1));
}

/** Has the recurring jobs recur ten times as often, from their next run on, whose names begin like this. */
export function recurFaster(app: INestApplicationContext, beginning: string): void {
  const handlers = app.get(JobHandlers);
  const intervals = new Map(
    [...handlers.recurring()].map(([name, seconds]) => [
      name,
      name.startsWith(beginning) ? seconds / FASTER : seconds,
    ]),
  );
  Object.defineProperty(handlers, 'recurring', { value: () => intervals });
}
