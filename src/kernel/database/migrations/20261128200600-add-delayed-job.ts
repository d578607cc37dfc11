import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** What a job that is known already is replaced by, and when, is as the library's `add_job` has it. */
const ADD_DELAYED_JOB = `
CREATE FUNCTION add_delayed_job(
  task text, with_payload json, at timestamptz, most_attempts integer, with_key text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known integer;
BEGIN
  SELECT t.id INTO known FROM graphile_worker._private_tasks t WHERE t.identifier = task;
  IF NOT FOUND THEN
    PERFORM graphile_worker.add_job(
      task, payload => with_payload, run_at => at, max_attempts => most_attempts, job_key => with_key);
    RETURN;
  END IF;
  UPDATE graphile_worker._private_jobs j SET key = NULL, attempts = j.max_attempts, updated_at = now()
   WHERE j.key = with_key AND j.is_available IS NOT TRUE;
  INSERT INTO graphile_worker._private_jobs AS j (task_id, payload, run_at, max_attempts, key)
  VALUES (known, with_payload, at, most_attempts, with_key)
  ON CONFLICT (key) DO UPDATE SET
    job_queue_id = NULL, task_id = EXCLUDED.task_id, payload = EXCLUDED.payload, run_at = EXCLUDED.run_at,
    max_attempts = EXCLUDED.max_attempts, priority = 0, flags = NULL, attempts = 0, last_error = NULL,
    revision = j.revision + 1, updated_at = now()
  WHERE j.locked_at IS NULL;
END
$$`;

/** Adds a job that is not due yet without the notice that would have all workers look for it. */
export class AddDelayedJob20261128200600 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ADD_DELAYED_JOB);
    await runner.query(`COMMENT ON FUNCTION add_delayed_job
      IS 'adds a job for later, or replaces the waiting one with its key; workers find it when they look for jobs next'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup from before the upgrade.'));
  }
}
