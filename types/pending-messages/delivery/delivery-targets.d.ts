import type { AgentServer } from '../../agent-server';
import { Clock } from '../../common';
import { type Settings } from '../../config';
import { SandboxReader } from '../../sandboxes';
import type { QueueSnapshot } from './delivery.repository';
import { AgentWork } from '../after-run/agent-work';
import type { QueueLease } from '../leases/queue-lease';
/** Where the messages of a queue go. */
export interface Target {
    readonly server: AgentServer;
    readonly conversationId: string;
    readonly sandboxId: string;
    /** By the monotonic clock. */
    readonly validUntil: number;
    /** Nothing more is sent: only what became of a message whose outcome is unknown is looked up. */
    readonly closedReason: string | null;
}
/** What keeps a queue from being delivered: a time, an agent at work, a conversation that does not run, or nothing. */
export type TargetSearch = {
    readonly kind: 'found';
    readonly target: Target;
} | {
    readonly kind: 'wait';
    readonly ms: number;
} | {
    readonly kind: 'closed';
    readonly reason: string;
} | {
    readonly kind: 'none';
};
/** Finds the running agent server behind a queue. */
export declare class DeliveryTargets {
    private readonly settings;
    private readonly sandboxes;
    private readonly work;
    private readonly clock;
    constructor(settings: Settings, sandboxes: SandboxReader, work: AgentWork, clock: Clock);
    /** @throws AgentServerError when it cannot be found out whether the agent runs, and the message waits for that */
    find(lease: QueueLease, head: QueueSnapshot, signal: AbortSignal): Promise<TargetSearch>;
    /**
     * A message whose outcome a crash left unknown has no time set. Its settling time begins with the end of the lease
     * of the run that died: after that it wrote nothing. It does not begin with the sending, which the run may
     * have survived, waiting for the response.
     */
    private settlingMs;
    private serverOf;
}
