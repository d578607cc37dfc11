import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Normalization is there for UTF-8 only; in other encodings texts are compared in lower case, as before. */
const FUNCTION = `
  DO $do$
  BEGIN
    EXECUTE format(
      'CREATE OR REPLACE FUNCTION search_text(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
      CASE getdatabaseencoding()
        WHEN 'UTF8' THEN 'SELECT replace(lower(normalize(given, NFKC)), U&''\\03C2'', U&''\\03C3'')'
        ELSE 'SELECT lower(given)'
      END);
  END $do$`;

/** The indexes of texts that are searched, of what a function makes of a column. */
const indexes = (
  compared: (column: string) => string,
): readonly (readonly [name: string, definition: string])[] => [
  [
    'conversations_title_trigrams',
    `conversations USING gin (${compared('title')} gin_trgm_ops) WITH (gin_pending_list_limit = 256) WHERE deleted_at IS NULL`,
  ],
  ['users_trigrams', `users USING gin (${compared('name')} gin_trgm_ops, ${compared('email')} gin_trgm_ops)`],
];

/**
 * Searches find texts that are equal to people: composed or not, full-width, with a final sigma. Earlier builds search without
 * an index until they are replaced.
 */
export class SearchText20261126140300 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;
  /** Indexes are made while conversations are written. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A replica of an older build that starts meanwhile waits for this migration, and this one for its snapshot.
    await runner.query(`SET lock_timeout = '60s'`);
    await runner.query(FUNCTION);
    for (const [name, definition] of indexes((column) => `search_text(${column})`)) {
      // What an interrupted run left may be invalid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_anew`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name}_anew ON ${definition}`);
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`ALTER INDEX ${name}_anew RENAME TO ${name}`);
    }
    await runner.query(
      `CREATE STATISTICS IF NOT EXISTS conversations_search_title ON (search_text(title)) FROM conversations`,
    );
    await runner.query('ALTER STATISTICS conversations_search_title SET STATISTICS 1000');
    await runner.query('DROP STATISTICS IF EXISTS conversations_lower_title');
    await runner.query('RESET lock_timeout');
    await runner.query('ANALYZE conversations, users');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of indexes((column) => `lower(${column})`)) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`CREATE INDEX ${name} ON ${definition}`);
    }
    await runner.query('CREATE STATISTICS conversations_lower_title ON (lower(title)) FROM conversations');
    await runner.query('ALTER STATISTICS conversations_lower_title SET STATISTICS 1000');
    await runner.query('DROP STATISTICS conversations_search_title');
    await runner.query('DROP FUNCTION search_text');
  }
}
