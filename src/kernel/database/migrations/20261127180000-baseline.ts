import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const FOLDER = join(__dirname, '..', 'baseline');

/** The schema of version 0.1.0: the files of `src/kernel/database/baseline`, in the order of their names. */
export class Baseline20261127180000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    for (const name of (await readdir(FOLDER)).sort())
      await runner.query(await readFile(join(FOLDER, name), 'utf8'));
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no schema before this one: drop the database.'));
  }
}
