import { Statement } from '../../../kernel/database';

/* By hand because a mail needs the names of two modules' tables at once. */

/** The owners of an organization ($1) who can still sign in. */
export const OWNERS_TO_WARN = new Statement<{ readonly user_id: string }>(
  `SELECT m.user_id FROM org_members m JOIN users u ON u.id = m.user_id
    WHERE m.org_id = $1 AND m.role = 'owner' AND u.disabled_at IS NULL ORDER BY m.user_id`,
);

/** Where a mail to an owner ($2) of an organization ($1) goes; nothing once they are none, or it is gone. */
export const OWNER_TO_WARN = new Statement<{ readonly email: string; readonly org_name: string }>(
  `SELECT u.email, o.name AS org_name FROM organizations o
     JOIN org_members m ON m.org_id = o.id AND m.role = 'owner'
     JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
    WHERE o.id = $1 AND m.user_id = $2`,
);
