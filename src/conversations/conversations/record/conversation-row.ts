import { columnsOf } from '../../../kernel/database';
import { Conversation } from './conversation.entity';

/** The columns of a record that only the service needs. */
const INTERNAL = [
  'ownSandbox',
  'sortTitle',
  'sortModel',
  'reportedTitle',
  'forwardedTitle',
  'deletedAt',
] as const satisfies readonly (keyof Conversation)[];

/** A conversation as responses are made of it, by the repository or by a statement written by hand. */
export type ConversationRow = Readonly<Omit<Conversation, (typeof INTERNAL)[number]>>;

/**
 * The columns of a {@link ConversationRow}, of a table named `c`.
 * @param except those that a statement does not need
 */
export function conversationColumns(...except: (keyof ConversationRow)[]): string {
  return columnsOf(Conversation, 'c', [...INTERNAL, ...except]);
}
