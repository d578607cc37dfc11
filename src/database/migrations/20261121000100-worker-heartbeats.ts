import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WorkerHeartbeats20261121000100 implements MigrationInterface {
  name = 'WorkerHeartbeats20261121000100';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE worker_heartbeats (
        worker_id text NOT NULL,
        process text NOT NULL,
        lease_until timestamptz NOT NULL,
        CONSTRAINT worker_heartbeats_pkey PRIMARY KEY (worker_id)
      )`);
    await db.query(`CREATE INDEX worker_heartbeats_lease_until ON worker_heartbeats (lease_until)`);
    await db.query(`CREATE SEQUENCE job_fences`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP SEQUENCE job_fences`);
    await db.query(`DROP TABLE worker_heartbeats`);
  }
}
