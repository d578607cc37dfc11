import { DataSource } from 'typeorm';
import { SandboxRows, type SandboxView } from '../../sandboxes';
import { type TargetConversation } from './send-target.read-model';
/** Where a message goes. */
export interface SendTarget {
    readonly conversation: TargetConversation;
    /** Null when the conversation has none, or an unknown one. */
    readonly sandbox: SandboxView | null;
}
/** Reads where messages go: a conversation and its sandbox in one statement. */
export declare class SendTargets {
    private readonly database;
    private readonly sandboxes;
    constructor(database: DataSource, sandboxes: SandboxRows);
    /** @returns null for an unknown or deleted conversation */
    find(conversationId: string): Promise<SendTarget | null>;
}
