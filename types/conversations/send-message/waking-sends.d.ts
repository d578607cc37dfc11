import type { Caller } from '../../auth';
import { SandboxReader, SandboxWaker } from '../../sandboxes';
import { ConversationAccess } from '../access/conversation-access';
import { ConversationQueue } from '../queue/conversation-queue';
import type { AppSendMessageResponse, QueuedSendResponse } from './send-message.dto';
import { SendMessageService } from './send-message.service';
import { SendTargets } from './send-targets';
/** A message for a sandbox that may have to be resumed first. */
export interface WakingMessage {
    /** The JSON text of its blocks, as it came. */
    readonly content: string;
    readonly run: boolean;
    /** The JSON text for the agent server, `{role, content, run}`. */
    readonly rawBody: string;
}
/** Sends messages, and resumes the sandboxes that they are for (docs/contract.md#waking-a-sandbox). */
export declare class WakingSends {
    private readonly messages;
    private readonly targets;
    private readonly access;
    private readonly sandboxes;
    private readonly waker;
    private readonly queue;
    constructor(messages: SendMessageService, targets: SendTargets, access: ConversationAccess, sandboxes: SandboxReader, waker: SandboxWaker, queue: ConversationQueue);
    /**
     * Sends a message to a sandbox that runs; queues it for one that does not, and resumes that, both or neither.
     * @throws RunRequiredToWakeError, those of {@link SendMessageService.send}, of SandboxWaker.wake and of
     *   ConversationQueue.add
     */
    send(caller: Caller, conversationId: string, message: WakingMessage): Promise<AppSendMessageResponse | QueuedSendResponse>;
    /** Null for a sandbox that does not run, and where the message would overtake others. */
    private sentAtOnce;
    private queued;
}
