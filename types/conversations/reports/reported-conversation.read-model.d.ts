import { Statement } from '../../database';
import type { ReportedConversation } from './conversation-reports';
/**
 * A conversation ($1), deleted ones too, with the driver of its sandbox. By hand because it is asked with every call
 * of an agent server, and one statement answers it (docs/decisions/0009-sql-by-hand.md).
 */
export declare const REPORTED_CONVERSATION: Statement<ReportedConversation>;
