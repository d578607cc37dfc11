import { z } from 'zod';
import { type Agent } from './agent';
import type { ConversationRecord } from './conversation-files';
import type { EventLog, StoredEvent } from './event-log';
import { type UserMessage } from './messages';
import { type Stats } from './stats';
declare const statusSchema: z.ZodEnum<{
    error: "error";
    finished: "finished";
    idle: "idle";
    running: "running";
    paused: "paused";
    deleting: "deleting";
}>;
export type ExecutionStatus = z.infer<typeof statusSchema>;
export type Subscriber = (event: StoredEvent) => void;
/** What a conversation needs in addition to its record. */
export interface ConversationParts {
    readonly log: EventLog;
    readonly agent: Agent;
    readonly folder: string | null;
    /** Writes the record down. */
    readonly save: (record: ConversationRecord) => void;
}
/**
 * One conversation: its log, its state and its run. The log is the truth: state that changes by running is
 * read back from it, so that a killed process leaves nothing half done but the run itself.
 */
export declare class Conversation {
    readonly record: ConversationRecord;
    private readonly parts;
    status: ExecutionStatus;
    stats: Stats;
    lastUserMessageId: string | null;
    private readonly subscribers;
    /** What the agent has seen. */
    private readonly turns;
    /** What came since it last began to answer. */
    private unseen;
    private currentRun;
    private runAgain;
    private pauseWanted;
    private runEnded;
    constructor(record: ConversationRecord, parts: ConversationParts);
    get log(): EventLog;
    get folder(): string | null;
    get subscriberCount(): number;
    /** Ends what the last process of this server left running (it becomes `error`). */
    settleAfterRestart(): void;
    /** Follows the events from now on; the state as it is comes first. @returns what ends it */
    subscribe(subscriber: Subscriber): () => void;
    /** Adds a message of the user; it is in the log when this returns. */
    send(message: UserMessage, run: boolean): void;
    /** Lets the agent answer what is in the conversation; a finished one stays finished. */
    run(): 'started' | 'already_running';
    /** Pauses an idle conversation now, and a running one before its next step. */
    pause(): void;
    /** Stops a run in the middle of its step. */
    interrupt(): Promise<void>;
    /** Changes what a caller may change of the record. */
    amend(changes: Partial<Pick<ConversationRecord, 'title' | 'tags' | 'secrets'>>): void;
    /** Stops the run for good; nothing is written any more. */
    end(): Promise<void>;
    /** Asks the agent without recording anything. */
    ask(question: string, signal: AbortSignal): Promise<string>;
    /** The text of the agent's last message, empty when there is none. */
    finalResponse(): string;
    private answer;
    /** What follows a step: messages that came during it want an answer, unless a pause was requested. */
    private nextStep;
    private step;
    private becomePaused;
    private setStatus;
    private append;
    private announce;
    private stateSnapshot;
    private publish;
    private titleBy;
    private recall;
    private recallTurn;
}
export {};
