import { Statement } from '../../../kernel/database';

/** A key, or a session of a browser, with its user, of the module of organizations. */
export interface KnownKeyRow {
  readonly digest: string;
  readonly is_session: boolean;
  readonly prefix: string | null;
  readonly user_id: string;
  readonly kind: 'person' | 'service_account';
  readonly org_id: string | null;
  readonly current_org_id: string | null;
}

/** By hand because it is read for many refused requests at once: keys and sessions of digests ($1), also those that are gone or do not work. */
export const KNOWN_KEYS = new Statement<KnownKeyRow>(
  `SELECT f.digest, f.is_session, f.prefix, f.user_id, u.kind, coalesce(u.confined_to_org_id, f.org_id) AS org_id, u.current_org_id
     FROM (SELECT digest, false AS is_session, prefix, user_id, org_id FROM api_keys WHERE digest = ANY ($1)
           UNION ALL
           SELECT digest, false, prefix, user_id, org_id FROM ended_keys WHERE digest = ANY ($1)
           UNION ALL
           SELECT s.digest, true, NULL, k.user_id, k.org_id
             FROM browser_sessions s JOIN api_keys k ON k.id = s.api_key_id WHERE s.digest = ANY ($1)) f
     JOIN users u ON u.id = f.user_id`,
);
