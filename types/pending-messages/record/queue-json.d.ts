import type { MessageMode } from './message-modes';
import type { MessageState } from './message-states';
/** A queued message as read by SQL, with its place among the undelivered. */
export interface MessageRow {
    readonly id: string;
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
export declare function toMessageJson(row: MessageRow, content: string): string;
