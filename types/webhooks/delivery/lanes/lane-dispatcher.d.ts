import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Settings } from '../../../config';
import { LaneSignal } from '../../queue/lane-signal';
import { LaneLeases } from '../leases/lane-leases';
import { LaneRun } from './lane-run';
import { RequestSlots } from './request-slots';
/** Takes lanes that are due, and has deliveries made from them (docs/decisions/0037-lanes-with-leases.md). */
export declare class LaneDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
    private readonly settings;
    private readonly leases;
    private readonly run;
    private readonly slots;
    private readonly signal;
    private readonly logger;
    /** Endpoints that may have lanes to take. */
    private readonly asked;
    private readonly held;
    private readonly running;
    private readonly timers;
    private isTaking;
    private stopped;
    constructor(settings: Settings, leases: LaneLeases, run: LaneRun, slots: RequestSlots, signal: LaneSignal);
    onApplicationBootstrap(): void;
    onModuleDestroy(): Promise<void>;
    /** Begins no more requests, and gives those on their way the grace time; what has not ended then is left to others. */
    stop(): Promise<void>;
    private end;
    private ask;
    private look;
    private takeAll;
    /** Endpoints that are asked for, with the lanes that there is room for. */
    private wanted;
    private take;
    private begin;
    private drain;
    private giveUp;
    private giveBack;
}
