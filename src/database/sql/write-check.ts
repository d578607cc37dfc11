import type { DataSource } from 'typeorm';

/** More than fits into {@link LITTLE_MEMORY}, so that it is written to the disk. */
const NUMBERS = 20_000;
const LITTLE_MEMORY = '64kB';

/** Nobody waits for a replica that writes at the same moment, or that stopped in the middle. */
const WRITE = `
  UPDATE write_check SET written_at = clock_timestamp()
   WHERE only_row = (SELECT only_row FROM write_check FOR UPDATE SKIP LOCKED)`;

/**
 * Proves that the database takes writes: changes a row for good, and has some 300 kB go to its disk and away again,
 * for a row alone finds room in its page when the disk is full.
 * @throws what the database says
 */
export async function proveWrite(database: DataSource): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(`SET LOCAL work_mem = '${LITTLE_MEMORY}'`);
    await transaction.query('SELECT count(*) FROM generate_series(1, $1::int)', [NUMBERS]);
    await transaction.query(WRITE);
  });
}
