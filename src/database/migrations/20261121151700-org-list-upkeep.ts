import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What keeps the list fast while conversations change. Skipped rows of a page are read from an index alone only
 * where a vacuum has looked since they changed: the column migration wrote the table anew, of which autovacuum
 * does not hear, and by its defaults it waits until a fifth of all conversations changed. A search reads what
 * was not put in order yet of the trigram index, up to 4 MB by default, which takes longer than the search.
 */
export class OrgListUpkeep20261121151700 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations SET (
        autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02);
      ALTER INDEX conversations_title_trigrams SET (gin_pending_list_limit = 256)`);
    await runner.query('VACUUM (ANALYZE) conversations');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations RESET (
        autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
      ALTER INDEX conversations_title_trigrams RESET (gin_pending_list_limit)`);
  }
}
