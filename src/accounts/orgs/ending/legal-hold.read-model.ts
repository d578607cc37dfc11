import { queryRow, type SqlRunner } from '../../../kernel/database';

/**
 * Whether something of an organization is held, so that it may not be deleted. By hand because holds are kept by another
 * module.
 */
export async function isOrganizationHeld(transaction: SqlRunner, orgId: string): Promise<boolean> {
  const held = await queryRow<{ found: boolean }>(
    transaction,
    `SELECT EXISTS (SELECT FROM legal_holds WHERE org_id = $1 AND lifted_at IS NULL) AS found`,
    [orgId],
  );
  return held?.found === true;
}
