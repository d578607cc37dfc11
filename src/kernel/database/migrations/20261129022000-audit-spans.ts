import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Days that every row of the audit log stays, whatever is asked of the function. */
const LEAST_DAYS = 30;

/**
 * The two changes of the audit log that there are, which act as the owner of the tables: whoever calls them may not make them.
 * @param schema the one of the tables, quoted: the search path has none that a caller could put something into
 */
const functionsIn = (schema: string): string => `
CREATE FUNCTION audit_remove_spans(seals bigint[], days integer)
RETURNS TABLE (seal bigint, org uuid, removed integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  cutoff constant timestamptz := now() - make_interval(days => greatest(days, ${LEAST_DAYS}));
  s record;
  span record;
BEGIN
  FOR s IN SELECT * FROM ${schema}.audit_seals
            WHERE id = ANY (seals) AND removed_at IS NULL AND sealed_at < cutoff ORDER BY id FOR UPDATE
  LOOP
    SELECT count(*) AS rows, max(at) AS newest, array_agg(position ORDER BY position) AS positions,
           (array_agg(hash ORDER BY position DESC))[1] AS hash
      INTO span
      FROM ((SELECT position, at, hash FROM ${schema}.audit_log
              WHERE org_id >= s.org_id AND org_id <= s.org_id AND position <= s.position
              ORDER BY org_id, position LIMIT s.rows + 1)
            UNION ALL
            (SELECT position, at, hash FROM ${schema}.audit_log
              WHERE s.org_id IS NULL AND org_id IS NULL AND position <= s.position
              ORDER BY org_id, position LIMIT s.rows + 1)) first;
    IF span.rows = s.rows AND span.hash = s.hash AND span.newest < cutoff
       AND span.positions[1] = s.first_position AND span.positions[s.rows] = s.position THEN
      DELETE FROM ${schema}.audit_log WHERE position = ANY (span.positions);
      UPDATE ${schema}.audit_seals SET removed_at = now() WHERE id = s.id;
      seal := s.id;
      org := s.org_id;
      removed := s.rows;
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION audit_remove_spans(bigint[], integer) FROM PUBLIC;
COMMENT ON FUNCTION audit_remove_spans(bigint[], integer)
  IS 'removes the rows of sealed spans and keeps the seals; only the first rows of a chain, as the seal has them, all of them older than so many days, at least ${LEAST_DAYS}';

CREATE FUNCTION audit_reseal(seals bigint[], old_macs bytea[], macs bytea[], key text)
RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH changed AS (
    UPDATE ${schema}.audit_seals s SET mac = new.mac, key_id = key
      FROM unnest(seals, old_macs, macs) AS new (id, old_mac, mac)
     WHERE s.id = new.id AND s.mac = new.old_mac
    RETURNING s.id
  )
  SELECT count(*)::integer FROM changed
$$;
REVOKE ALL ON FUNCTION audit_reseal(bigint[], bytea[], bytea[], text) FROM PUBLIC;
COMMENT ON FUNCTION audit_reseal(bigint[], bytea[], bytea[], text)
  IS 'gives seals a mac by another key; whether it fits is known to those who have the key'`;

/** What retention and a new secret key may change of the audit log, where its rows are for nobody to change. */
export class AuditSpans20261129022000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = await runner.manager.query<[{ schema: string }]>(
      'SELECT quote_ident(current_schema()) AS schema',
    );
    await runner.query(functionsIn(schema));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION audit_remove_spans, audit_reseal');
  }
}
