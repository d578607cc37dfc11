import type { MessageMode, MessageState } from './message.enums';

/** A queued message as read by SQL, with its place among the undelivered. */
export interface MessageRow {
  readonly id: string;
  /** Its place in the order of the queue. */
  readonly rank: string;
  readonly state: MessageState;
  readonly mode: MessageMode;
  readonly position: string | null;
  readonly role: string;
  /** The approximate size of the message in a response. */
  readonly bytes: number;
  /** Null for one that is read later, because it is large or behind others that are. */
  readonly content: string | null;
  readonly created_at: Date;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly delivered_at: Date | null;
}

/** The parts of a message before and after its content in a response. */
function aroundContent({ id, state, position, mode, role, ...row }: MessageRow) {
  return {
    before: { id, state, position: position === null ? null : Number(position), mode, role },
    after: {
      created_at: row.created_at.toISOString(),
      attempts: row.attempts,
      last_error: row.last_error,
      delivered_at: row.delivered_at?.toISOString() ?? null,
    },
  };
}

/** A message with its content, a JSON text. */
export function toMessage(row: MessageRow, content: string) {
  const { before, after } = aroundContent(row);
  return { ...before, content: JSON.parse(content) as unknown, ...after };
}

/** The JSON text of a `QueuedMessage`: its content is in it as it came. */
export function toMessageJson(row: MessageRow, content: string): string {
  const { before, after } = aroundContent(row);
  return `${JSON.stringify(before).slice(0, -1)},"content":${content},${JSON.stringify(after).slice(1)}`;
}
