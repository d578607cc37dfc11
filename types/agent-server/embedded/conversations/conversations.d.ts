import { Conversation } from './conversation';
import type { EmbeddedConfig } from '../config/embedded-config';
import type { SandboxFolder } from '../config/sandbox-folder';
import type { StartRequest } from './start-request';
/** All conversations of one embedded agent server, and their webhooks. */
export declare class Conversations {
    private readonly config;
    private readonly sandbox;
    private readonly byId;
    private readonly feeds;
    private readonly files;
    /** Reads what an earlier process of this server left. */
    constructor(config: EmbeddedConfig, sandbox: SandboxFolder);
    get(id: string): Conversation | undefined;
    /** All of them, oldest first. */
    all(): Conversation[];
    /** @returns the conversation, and whether it is new: one that exists is not touched */
    start(request: StartRequest): {
        conversation: Conversation;
        created: boolean;
    };
    /** Ends a conversation and removes it from the disk. @returns false when there is none */
    delete(id: string): Promise<boolean>;
    /** Sends the present info of a conversation to the webhooks. */
    sendInfo(conversation: Conversation): void;
    /** Interrupts what runs and hands over what webhooks still have to get. */
    close(): Promise<void>;
    private open;
    private follow;
}
