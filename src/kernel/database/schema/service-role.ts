import type { Client } from 'pg';
import { StartError } from '../../common';
import { OUR_SCHEMA } from '../copies/contents';

/**
 * What the service's role may do to tables that it may not change as it likes, where another role owns the schema. To all others
 * it may do what changes rows.
 */
const FEWER_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  audit_log: ['SELECT', 'INSERT'],
  audit_seals: ['SELECT', 'INSERT'],
  audit_personal: ['SELECT', 'INSERT', 'DELETE'],
  schema_migrations: ['SELECT'],
  schema_compatibility: ['SELECT'],
};

const ALL_RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const EVERY_RIGHT = [...ALL_RIGHTS, 'TRUNCATE', 'REFERENCES', 'TRIGGER'];

/** Who uses a database, and what of it by the names that have no schema. */
interface Place {
  readonly role: string;
  /** Null where the role has none that it may use. */
  readonly schema: string | null;
  readonly database: string;
}

/** Where a connection leads to, and as whom. */
export async function placeOf(client: Client): Promise<Place> {
  const { rows } = await client.query<Place>(
    `SELECT current_user::text AS role, current_schema()::text AS schema,
            system_identifier || ' ' || current_database() AS database
       FROM pg_control_system()`,
  );
  const [place] = rows;
  if (place === undefined) throw new Error('PostgreSQL does not say which server it is.');
  return place;
}

/** @throws StartError when an owner's connection leads elsewhere than the service's */
export function checkOwner(owner: Place, service: Place): void {
  if (owner.database !== service.database)
    throw new StartError(
      'MIGRATION_DATABASE_URL and DATABASE_URL lead to different databases. Set both to the same one, with the roles that own the schema and use it.',
    );
  if (service.schema !== null && owner.schema !== service.schema)
    throw new StartError(
      `The roles of MIGRATION_DATABASE_URL and DATABASE_URL use different schemas: ${owner.schema} and ${service.schema}. Set the same search_path for both.`,
    );
}

/** Whether the role of a connection may migrate the schema that is there; that of an empty database it may. */
export async function ownsSchema(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `SELECT coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('schema_migrations')),
                     true) AS owns`,
  );
  return rows[0]?.owns === true;
}

/** Whether the role of a connection has been given what the service needs, by the role that owns the schema. */
export async function mayUseSchema(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AS may
       FROM pg_class WHERE oid = to_regclass('domain_events')`,
  );
  return rows[0]?.may === true;
}

/** Whether the role of a connection could change or remove rows of the audit log; null where there is none. */
export async function mayChangeAuditLog(client: Client): Promise<boolean | null> {
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT pg_has_role(relowner, 'MEMBER')
              OR has_table_privilege(oid, 'UPDATE') OR has_table_privilege(oid, 'DELETE')
              OR has_table_privilege(oid, 'TRUNCATE') OR has_table_privilege(oid, 'TRIGGER') AS may
       FROM pg_class WHERE oid = to_regclass('audit_log')`,
  );
  return rows[0]?.may ?? null;
}

/**
 * The statements that give a role ($1) what it may do, and take what it may not, as far as that is not so already: `fewer` ($2) has
 * the rights on tables of which it does not get all ($3), out of every one that there is ($4).
 */
const STATEMENTS = `
  WITH schemas AS MATERIALIZED (
    SELECT n.oid, n.nspname FROM pg_namespace n WHERE ${OUR_SCHEMA}
  ), relations AS MATERIALIZED (
    SELECT c.oid, c.oid::regclass::text AS name, c.relrowsecurity AS is_guarded, c.relkind = 'S' AS is_sequence,
           CASE WHEN c.relkind = 'S' THEN '["USAGE", "SELECT"]' ELSE coalesce($2::jsonb -> c.relname, $3::jsonb) END AS rights,
           $2::jsonb ? c.relname AS has_fewer
      FROM pg_class c JOIN schemas n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S')
       AND NOT EXISTS (SELECT FROM pg_depend d
                        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  )
  SELECT format('GRANT USAGE ON SCHEMA %I TO %I', n.nspname, $1::text) AS statement
    FROM schemas n WHERE NOT has_schema_privilege($1, n.oid, 'USAGE')
  UNION ALL
  SELECT format('GRANT %s ON %s %s TO %I', string_agg(r.name, ', '), CASE WHEN c.is_sequence THEN 'SEQUENCE' ELSE 'TABLE' END,
                c.name, $1::text)
    FROM relations c CROSS JOIN LATERAL jsonb_array_elements_text(c.rights) AS r (name)
   WHERE NOT CASE WHEN c.is_sequence THEN has_sequence_privilege($1, c.oid, r.name)
                  ELSE has_table_privilege($1, c.oid, r.name) END
   GROUP BY c.name, c.is_sequence
  UNION ALL
  SELECT format('REVOKE %s ON TABLE %s FROM %I, PUBLIC', string_agg(r.name, ', '), c.name, $1::text)
    FROM relations c CROSS JOIN LATERAL jsonb_array_elements_text($4::jsonb) AS r (name)
   WHERE c.has_fewer AND NOT c.rights ? r.name AND has_table_privilege($1, c.oid, r.name)
   GROUP BY c.name
  UNION ALL
  SELECT format('CREATE POLICY %I ON %s TO %I USING (true) WITH CHECK (true)', $1::text, c.name, $1::text)
    FROM relations c
   WHERE c.is_guarded AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = $1::name)
  UNION ALL
  SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', p.oid::regprocedure, $1::text)
    FROM pg_proc p JOIN schemas n ON n.oid = p.pronamespace
   WHERE p.prosecdef AND NOT has_function_privilege($1, p.oid, 'EXECUTE')
  UNION ALL
  SELECT format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT %s TO %I', n.nspname, k.rights, $1::text)
    FROM schemas n
   CROSS JOIN (VALUES ('r'::"char", 'SELECT, INSERT, UPDATE, DELETE ON TABLES'),
                      ('S'::"char", 'USAGE, SELECT ON SEQUENCES')) AS k (kind, rights)
   WHERE NOT EXISTS (SELECT FROM pg_default_acl d CROSS JOIN LATERAL aclexplode(d.defaclacl) a
                      WHERE d.defaclrole = current_user::regrole AND d.defaclnamespace = n.oid
                        AND d.defaclobjtype = k.kind AND a.grantee = (SELECT oid FROM pg_roles WHERE rolname = $1))`;

/**
 * Gives the service's role what it needs in a schema that another one owns, in what later migrations make at once; and takes what it
 * must not have. Changes nothing where that is so already.
 * @param owner connected as the role that owns the schema, with the lock of `migrate`: two at a time would fail
 */
export async function grantToService(owner: Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ statement: string }>(STATEMENTS, [
    role,
    JSON.stringify(FEWER_RIGHTS),
    JSON.stringify(ALL_RIGHTS),
    JSON.stringify(EVERY_RIGHT),
  ]);
  for (const { statement } of rows) await owner.query(statement);
}
