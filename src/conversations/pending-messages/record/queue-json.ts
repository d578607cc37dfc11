import type { MessageMode } from './message-modes';
import type { MessageState } from './message-states';

/** A queued message as read by SQL, with its place among the undelivered. */
export interface MessageRow {
  readonly id: string;
  /** Its place in the order of the queue. */
  readonly rank: string;
  readonly state: MessageState;
  readonly mode: MessageMode;
  readonly position: string | null;
  readonly role: string;
  /** What the message takes in a response, about. */
  readonly bytes: number;
  /** Null for one that is read later, because it is large or behind others that are. */
  readonly content: string | null;
  readonly created_at: Date;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly delivered_at: Date | null;
}

/** The JSON text of a `QueuedMessage`: its content is in it as it came. */
export function toMessageJson(row: MessageRow, content: string): string {
  const before = JSON.stringify({
    id: row.id,
    state: row.state,
    position: row.position === null ? null : Number(row.position),
    mode: row.mode,
    role: row.role,
  });
  const after = JSON.stringify({
    created_at: row.created_at.toISOString(),
    attempts: row.attempts,
    last_error: row.last_error,
    delivered_at: row.delivered_at?.toISOString() ?? null,
  });
  return `${before.slice(0, -1)},"content":${content},${after.slice(1)}`;
}
