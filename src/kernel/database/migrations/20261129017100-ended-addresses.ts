import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Of which address the account was whose identity has ended: directories know people by it. */
export class EndedAddresses20261129017100 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(
      'ALTER TABLE ended_identities ADD COLUMN email text, ADD CONSTRAINT email_length CHECK (char_length(email) <= 320)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ended_identities DROP COLUMN email');
  }
}
