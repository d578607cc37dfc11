import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** The functions of 20261122021000: how bytes are added to a counter, and how counters are held. */
const functions = (add: string, hold: string): string => `
  CREATE OR REPLACE FUNCTION message_bytes_add(owner uuid, added bigint) RETURNS void ${add};

  CREATE OR REPLACE FUNCTION message_bytes_exceeded(
    sender uuid, org uuid, added bigint, user_bytes bigint, org_bytes bigint
  ) RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    ${hold}
    RETURN CASE
      WHEN EXISTS (SELECT 1 FROM message_bytes WHERE owner_id = sender AND bytes + added > user_bytes) THEN 'user'
      WHEN EXISTS (SELECT 1 FROM message_bytes WHERE owner_id = org AND bytes + added > org_bytes) THEN 'organization'
    END;
  END $$;`;

const MADE = `INSERT INTO message_bytes AS b (owner_id, bytes) SELECT owner, added WHERE owner IS NOT NULL
    ON CONFLICT (owner_id) DO UPDATE SET bytes = b.bytes + added`;

/** Locks without writing a counter that is there, as all but the first message of an owner find it. */
const HELD = `
    PERFORM 1 FROM message_bytes WHERE owner_id = org FOR NO KEY UPDATE;
    IF NOT FOUND THEN PERFORM message_bytes_add(org, 0); END IF;
    PERFORM 1 FROM message_bytes WHERE owner_id = sender FOR NO KEY UPDATE;
    IF NOT FOUND THEN PERFORM message_bytes_add(sender, 0); END IF;`;

/**
 * The same counters of undelivered bytes with half the writes: a large message wrote each of two rows twice. Only
 * functions change, so that earlier builds count the same way.
 */
export class CheaperMessageCounters20261122034000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    const add = `LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE message_bytes SET bytes = bytes + added WHERE owner_id = owner;
        IF NOT FOUND THEN
          ${MADE};
        END IF;
      END $$`;
    await runner.query(functions(add, HELD));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      functions(
        `LANGUAGE sql AS $$ ${MADE} $$`,
        'PERFORM message_bytes_add(org, 0), message_bytes_add(sender, 0);',
      ),
    );
  }
}
