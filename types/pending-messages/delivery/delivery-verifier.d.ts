import { AgentServerClient } from '../../agent-server';
import { type Settings } from '../../config';
import { DeliveryRepository, type QueueHead } from './delivery.repository';
import type { Target } from './delivery-targets';
import type { QueueLease } from '../leases/queue-lease';
/**
 * Finds out whether a message arrived whose sending had no clear end
 * (docs/decisions/0006-settling-time-after-an-unknown-outcome.md).
 */
export declare class DeliveryVerifier {
    private readonly settings;
    private readonly agentServers;
    private readonly repository;
    constructor(settings: Settings, agentServers: AgentServerClient, repository: DeliveryRepository);
    /**
     * While an agent works, its server may hold a message back and store it later: a missing message counts
     * only when the agent was idle before and after.
     * @returns `inconclusive` when that cannot be said yet
     * @throws AgentServerError when the agent server cannot be asked
     */
    verify(lease: QueueLease, target: Target, message: QueueHead, signal: AbortSignal): Promise<'arrived' | 'missing' | 'inconclusive'>;
    /**
     * True when the log has, after the mark, more user messages of equal content than other deliveries
     * account for. An unknown mark means that the log is not the one it was: then all of it counts.
     */
    private arrived;
    private exceeds;
    private isWorking;
}
