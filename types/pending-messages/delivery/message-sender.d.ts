import { AgentServerClient } from '../../agent-server';
import { type Settings } from '../../config';
import { AgentMessages, type MessageOutcome } from '../../conversations';
import { SandboxLifecycle } from '../../sandboxes';
import type { QueueLease } from '../leases/queue-lease';
import { DeliveryFaultPoints } from './delivery-fault-points';
import type { QueueHead } from './delivery.repository';
import type { Target } from './delivery-targets';
/** Writes queued messages to agent servers, while the lease on their queue is held. */
export declare class MessageSender {
    private readonly settings;
    private readonly agentServers;
    private readonly messages;
    private readonly lifecycle;
    private readonly faultPoints;
    constructor(settings: Settings, agentServers: AgentServerClient, messages: AgentMessages, lifecycle: SandboxLifecycle, faultPoints: DeliveryFaultPoints);
    /**
     * The last event of a conversation, after which a message is sent; null without one.
     * @throws AgentServerError
     */
    markOf({ server, conversationId }: Target): Promise<string | null>;
    /** What came of sending is in the outcome. @throws QueueLeaseLostError */
    send(lease: QueueLease, target: Target, message: QueueHead): Promise<MessageOutcome>;
}
