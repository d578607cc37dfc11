import { Statement } from '../../database';
import { type SandboxRow } from '../record/sandbox.ports';
/**
 * Sandboxes by their ids ($1). By hand because every reading of conversations asks for them: the query builder takes
 * longer to put the statement together than the database to run it.
 */
export declare const SANDBOXES_BY_ID: Statement<SandboxRow>;
