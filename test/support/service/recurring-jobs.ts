import type { DataSource } from 'typeorm';
import { eventually } from '../eventually';

/**
 * Has a recurring job run now, and waits for the end of that run. It is not asked for while the job runs: at its end
 * a run plans the next one, in place of any that was asked for meanwhile.
 */
export async function runNow(db: DataSource, name: string): Promise<void> {
  const key = `every:${name}`;
  const planned = `FROM graphile_worker.jobs WHERE key = $1 AND locked_at IS NULL AND run_at > now()`;
  await eventually(async () => {
    const sql = `SELECT graphile_worker.add_job($2, job_key => $1) ${planned}`;
    expect(await db.query<unknown[]>(sql, [key, name])).toHaveLength(1);
  });
  await eventually(async () =>
    expect(await db.query<unknown[]>(`SELECT 1 ${planned}`, [key])).toHaveLength(1),
  );
}
