import type { DataSource } from 'typeorm';
/**
 * Verifies that the database accepts writes: updates a row and spills about 300 kB to a temporary file, since one
 * row still fits on a full disk.
 * @throws what the database says
 */
export declare function proveWrite(database: DataSource): Promise<void>;
