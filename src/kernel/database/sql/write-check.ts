import type { DataSource } from 'typeorm';

/** More than fits into {@link WORK_MEM}, so that it is written to the disk. */
const NUMBERS = 20_000;
const WORK_MEM = '64kB';

/** Does not wait for a replica that writes at the same moment or was suspended meanwhile. */
const WRITE = `
  UPDATE write_check SET written_at = clock_timestamp()
   WHERE only_row = (SELECT only_row FROM write_check FOR UPDATE SKIP LOCKED)`;

/**
 * Verifies that the database accepts writes: updates a row and spills about 300 kB to a temporary file, since one
 * row still fits on a full disk.
 * @throws what the database says
 */
export async function proveWrite(database: DataSource): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(`SET LOCAL work_mem = '${WORK_MEM}'`);
    await transaction.query('SELECT count(*) FROM generate_series(1, $1::int)', [NUMBERS]);
    await transaction.query(WRITE);
  });
}
