import { type OrgConversationRow } from '../list/org-conversation.read-model';
import type { ListCondition } from '../list/list-condition.read-model';
/** A statement with its parameters. */
export interface BatchStatement {
    readonly sql: string;
    readonly parameters: readonly unknown[];
}
/**
 * The rows of an export that come after another one, oldest first. By hand because a batch begins at a pair of
 * columns, which TypeORM cannot compare, and reads the rows of the list (docs/decisions/0009-sql-by-hand.md).
 * There is at least one while there are more.
 * @param after the last row of the batch before; null for the first batch
 */
export declare function exportBatch({ branches, parameters }: ListCondition, after: OrgConversationRow | null, limit: number): BatchStatement;
