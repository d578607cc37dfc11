import { queryRow, type SqlRunner } from '../../../kernel/database';

/** A proof as the page of its link shows it, with the account that it opens. */
export interface ShownProof {
  readonly id: string;
  readonly org_name: string | null;
  readonly works: boolean;
}

/** The proof of a token. By hand: with the organization's name, and by the database's clock, in one statement. */
export function selectProof(database: SqlRunner, tokenDigest: string): Promise<ShownProof | null> {
  return queryRow(
    database,
    `SELECT p.id, o.name AS org_name, p.used_at IS NULL AND p.expires_at > clock_timestamp() AS works
       FROM sign_in_proofs p LEFT JOIN organizations o ON o.id = p.org_id
      WHERE p.token_digest = $1`,
    [tokenDigest],
  );
}

/** A proof that is still to be mailed, to somebody who has an account. */
interface UnsentProof {
  readonly email: string;
  readonly org_name: string | null;
  readonly maker_email: string | null;
  /**
   * The most mails with codes that went to the members of one of their organizations within an hour; 0 where none went to them:
   * nobody who asks for others' addresses takes it from them.
   */
  readonly sent_in_organization: number;
}

/**
 * What a job has to mail; null for what needs no mail: nobody has the address, or it was sent. By hand: proof, account,
 * organization and the count of its mails in one statement.
 */
export function selectUnsentProof(database: SqlRunner, id: string): Promise<UnsentProof | null> {
  return queryRow(
    database,
    `SELECT p.email, o.name AS org_name, maker.email AS maker_email,
            CASE WHEN EXISTS (SELECT FROM sign_in_proofs own
                               WHERE own.email = p.email AND own.code_digest IS NOT NULL
                                 AND own.sent_at > clock_timestamp() - interval '1 hour') THEN
            coalesce((SELECT max(n) FROM (
              SELECT count(*)::int AS n
                FROM org_members own
                JOIN org_members others ON others.org_id = own.org_id
                JOIN users u2 ON u2.id = others.user_id
                JOIN sign_in_proofs sent ON sent.email = u2.email
               WHERE own.user_id = u.id AND sent.code_digest IS NOT NULL
                 AND sent.sent_at > clock_timestamp() - interval '1 hour'
               GROUP BY own.org_id) AS counts), 0) ELSE 0 END AS sent_in_organization
       FROM sign_in_proofs p
       JOIN users u ON u.email = p.email AND u.disabled_at IS NULL
       LEFT JOIN organizations o ON o.id = p.org_id
       LEFT JOIN users maker ON maker.id = p.made_by_user_id
      WHERE p.id = $1 AND p.sent_at IS NULL AND p.expires_at > clock_timestamp()`,
    [id],
  );
}
