import type { StoredEvent } from './event-log';
import type { UserMessage } from './messages';
/** The fields of an event apart from those that every event has. */
export interface EventDraft {
    readonly source: string;
    readonly kind: string;
    readonly [field: string]: unknown;
}
/** Completes a draft to an event with an id and a time that never goes back. */
export declare function completeEvent({ source, kind, ...rest }: EventDraft, parentId: string | null): StoredEvent;
export declare function systemPromptEvent(prompt: string): EventDraft;
export declare function userMessageEvent(message: UserMessage): EventDraft;
export declare function agentMessageEvent(text: string, responseId: string): EventDraft;
export declare function stateUpdateEvent(key: string, value: unknown): EventDraft;
/** Whose fault an error is: the settings', or that of something that may work again later. */
export type FailureKind = 'config' | 'auth' | 'rate_limit' | 'transient' | 'internal';
export declare function conversationErrorEvent(code: string, detail: string, kind: FailureKind): EventDraft;
export declare function pauseEvent(): EventDraft;
export declare function interruptEvent(): EventDraft;
/** Only sent over a WebSocket, never stored. */
export declare function serverErrorEvent(code: string, detail: string): EventDraft;
/** A copy without the fields that are null, at any depth: REST searches and WebSockets leave them out. */
export declare function withoutNulls(value: unknown): unknown;
