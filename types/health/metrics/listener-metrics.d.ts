import { DomainEvents } from '../../domain-events';
import { Metrics } from '../../http';
/** What listeners of domain events failed to do in this process. */
export declare class ListenerMetrics {
    constructor(metrics: Metrics, events: DomainEvents);
}
