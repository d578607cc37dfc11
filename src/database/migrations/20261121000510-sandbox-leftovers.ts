import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What hosts still hold of sandboxes whose rows went with their organization or user. */
export class SandboxLeftovers20261121000510 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sandbox_leftovers (
        sandbox_id uuid NOT NULL PRIMARY KEY,
        host_id text NOT NULL,
        driver text NOT NULL
      );
      CREATE INDEX sandbox_leftovers_host_id ON sandbox_leftovers (host_id);

      CREATE FUNCTION note_sandbox_leftovers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO sandbox_leftovers (sandbox_id, host_id, driver) VALUES (OLD.id, OLD.host_id, OLD.driver);
        RETURN NULL;
      END $$;

      CREATE TRIGGER sandboxes_note_leftovers AFTER DELETE ON sandboxes
        FOR EACH ROW WHEN (OLD.host_id IS NOT NULL AND OLD.status <> 'MISSING')
        EXECUTE FUNCTION note_sandbox_leftovers();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER sandboxes_note_leftovers ON sandboxes;
      DROP FUNCTION note_sandbox_leftovers;
      DROP TABLE sandbox_leftovers;
    `);
  }
}
