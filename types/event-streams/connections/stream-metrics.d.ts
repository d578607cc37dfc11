import { Metrics } from '../../http';
import { OpenStreams } from './open-streams';
/** Metrics of the streams of this process. */
export declare class StreamMetrics {
    constructor(metrics: Metrics, streams: OpenStreams);
}
