import type { ConversationRow } from '../record/conversation-row';
import type { ConversationMetrics } from './conversation-metrics.dto';
/** Tokens and cost as answered: flat, and beside that as the public interface has them. */
export declare function conversationMetrics(row: ConversationRow): ConversationMetrics;
