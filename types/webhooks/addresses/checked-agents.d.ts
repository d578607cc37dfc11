import http from 'node:http';
import https from 'node:https';
import { type OnModuleDestroy } from '@nestjs/common';
import { WebhookAddresses } from './webhook-addresses';
/**
 * Agents for axios or node:http whose every connection goes to an address that was checked for it, so neither a name
 * that has another address by now (DNS rebinding) nor a redirect leads elsewhere. A refusal is an error of the request, a
 * `HostProblem` in its message. Whoever uses them turns proxies of the environment off.
 */
export declare class CheckedAgents implements OnModuleDestroy {
    readonly http: http.Agent;
    readonly https: https.Agent;
    constructor(addresses: WebhookAddresses);
    onModuleDestroy(): void;
}
