import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table of notes; an organization takes its notes with it. */
export class Notes1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE acme_notes (
        id text PRIMARY KEY,
        org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX acme_notes_org ON acme_notes (org_id, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE acme_notes');
  }
}
