import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What tells, at a start, whether `SECRET_KEY` is the one the secrets were encrypted with. */
export class SecretCheck20261121000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE secret_check (
        only_row boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (only_row),
        sealed text NOT NULL
      );
      COMMENT ON COLUMN secret_check.sealed IS 'a known text, encrypted with the current SECRET_KEY';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE secret_check');
  }
}
