import { Metrics } from '../../http';
import { AgentServerClient } from './agent-server-client';
/** Metrics of the memory that responses of agent servers may take. */
export declare class BudgetMetrics {
    constructor({ registry }: Metrics, { budget }: AgentServerClient);
}
