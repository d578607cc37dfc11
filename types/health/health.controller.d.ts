import type { IncomingMessage } from 'node:http';
import { type Settings } from '../config';
import { Metrics } from '../http';
import { type Health, HealthService, type ServerInfo } from './health.service';
export declare class HealthController {
    private readonly health;
    private readonly metrics;
    private readonly settings;
    constructor(health: HealthService, metrics: Metrics, settings: Settings);
    checkAlive(): {
        status: string;
    };
    checkReady(): Promise<Health>;
    checkHealth(): Promise<Health>;
    getServerInfo(): ServerInfo;
    getMetrics({ headers }: IncomingMessage): Promise<string>;
}
