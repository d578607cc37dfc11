import { Metrics } from '../../http';
import { OpenConnections } from './open-connections';
/** Metrics of the traffic through this process's door. */
export declare class DoorMetrics {
    constructor(metrics: Metrics, connections: OpenConnections);
}
