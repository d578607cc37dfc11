import { Statement } from '../../../kernel/database';

/* By hand because the mail needs the names of three modules' tables at once. */

/** The owners of an organization ($1) who can still sign in. */
export const OWNERS = new Statement<{ readonly user_id: string }>(
  `SELECT m.user_id FROM org_members m JOIN users u ON u.id = m.user_id
    WHERE m.org_id = $1 AND m.role = 'owner' AND u.disabled_at IS NULL ORDER BY m.user_id`,
);

/** What a mail to an owner ($2) about an endpoint ($1) says; nothing once either is gone, or it is enabled again. */
export const OWNER_MAIL = new Statement<{
  readonly email: string;
  readonly org_name: string;
  readonly url: string;
  readonly description: string;
}>(
  `SELECT u.email, o.name AS org_name, w.url, w.description
     FROM webhooks w JOIN organizations o ON o.id = w.org_id
     JOIN org_members m ON m.org_id = o.id AND m.role = 'owner'
     JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
    WHERE w.id = $1 AND m.user_id = $2 AND NOT w.enabled`,
);
