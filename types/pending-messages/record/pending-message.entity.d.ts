import type { MessageMode } from './message-modes';
import type { MessageState } from './message-states';
export declare class PendingMessage {
    id: string;
    queueId: string;
    /** Its place among the messages of the queue: lower ones are delivered first. */
    rank: string;
    /** The first message of the conversation, which does not count towards the limit. */
    isInitial: boolean;
    role: string;
    content: string;
    run: boolean;
    state: MessageState;
    mode: MessageMode;
    attempts: number;
    lastError: string | null;
    markEventId: string | null;
    deliveredAt: Date | null;
    createdAt: Date;
}
