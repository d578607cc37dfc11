import { type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { StandingAccess } from '../../auth';
import { type Settings } from '../../config';
import { SandboxReader } from '../../sandboxes';
import { OpenConnections } from './open-connections';
/**
 * Ends open connections whose sandbox, key, session or membership is gone, whichever replica removed it. Polls the
 * database twice a second with four statements at most for all connections together, and only while there are any.
 */
export declare class ConnectionWatch implements OnModuleInit, OnModuleDestroy {
    private readonly connections;
    private readonly access;
    private readonly sandboxes;
    private readonly logger;
    private readonly pings;
    private readonly idle;
    private timer;
    private isStopped;
    constructor(connections: OpenConnections, access: StandingAccess, sandboxes: SandboxReader, { DOOR_PING_SECONDS }: Settings);
    onModuleInit(): void;
    onModuleDestroy(): void;
    private schedule;
    private round;
    private check;
    private pingAll;
}
