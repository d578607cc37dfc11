import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';

/** Texts without a CHECK, each with what keeps it short. */
const WITHOUT: Readonly<Record<string, string>> = {
  'budget_deltas.repository': 'kept by a trigger from a checked column',
  'budget_deltas.tags': 'kept by a trigger from a checked column',
  'conversation_count_deltas.execution_status': 'kept by a trigger from a checked column',
  'conversation_count_deltas.llm_model': 'kept by a trigger from a checked column',
  'conversation_counts.execution_status': 'kept by a trigger from a checked column',
  'conversation_sandbox_counts.status': 'one of the few that a function of the database knows',
  'conversation_sandbox_statuses.status': 'one of the few that a function of the database knows',
  'conversation_usage.llm_model': 'kept by a trigger from a checked column',
  'domain_events.event': 'ids and changed fields of one event, made by the service',
  'domain_events.kind': 'one of the few names that the service has',
  'request_counts.bucket': 'one of the few names that the service has',
  'request_counts.subject': 'a digest, an id or an address, made by the service',
  'sandbox_counts.status': 'kept by a trigger from a checked column',
  'schema_migrations.name': 'the name of a class, written by migrations',
  'secret_check.sealed': 'one row, written by the service from a constant',
  'usage_deltas.llm_model': 'kept by a trigger from a checked column',
  'usage_deltas.repository': 'kept by a trigger from a checked column',
  'usage_deltas.tags': 'kept by a trigger from a checked column',
};

describe('the texts that are stored', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    source = await createDataSource(database.url, 1).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('each have a limit that the database checks', async () => {
    const unchecked = await source.query<{ name: string }[]>(
      `SELECT c.table_name || '.' || c.column_name AS name
         FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
         JOIN pg_class r ON r.relname = c.table_name AND r.relnamespace = c.table_schema::regnamespace
         JOIN pg_attribute a ON a.attrelid = r.oid AND a.attname = c.column_name
        WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
          AND c.data_type IN ('text', 'character varying', 'jsonb', 'json', 'bytea')
          AND NOT EXISTS (SELECT 1 FROM pg_constraint k
                           WHERE k.conrelid = r.oid AND k.contype = 'c' AND a.attnum = ANY (k.conkey))
        ORDER BY 1`,
    );
    expect(unchecked.map(({ name }) => name)).toEqual(Object.keys(WITHOUT));
  });
});
