import { Statement } from '../../../kernel/database';
import { SANDBOX_COLUMNS, type SandboxRow } from '../record/sandbox-view';

/**
 * Sandboxes by their ids ($1). By hand because every reading of conversations asks for them: the query builder takes
 * longer to put the statement together than the database to run it.
 */
export const SANDBOXES_BY_ID = new Statement<SandboxRow>(
  `SELECT ${SANDBOX_COLUMNS} FROM sandboxes s WHERE s.id = ANY ($1)`,
);
