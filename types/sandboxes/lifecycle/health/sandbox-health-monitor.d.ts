import { type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JobHandlers } from '../../../jobs';
import { SandboxDrivers } from '../../drivers/sandbox-drivers';
import { Hosts } from '../../hosts/hosts';
import { SandboxStore } from '../../record/sandbox-store';
import { SandboxInspection } from './sandbox-inspection';
import { WatchedSandboxes } from './watched-sandboxes.read-model';
/** Detects, every few seconds, sandboxes that died, hang, are idle or missed a deadline. */
export declare class SandboxHealthMonitor implements OnModuleInit {
    private readonly handlers;
    private readonly hosts;
    private readonly drivers;
    private readonly database;
    private readonly watched;
    private readonly inspection;
    private readonly store;
    private readonly log;
    constructor(handlers: JobHandlers, hosts: Hosts, drivers: SandboxDrivers, database: DataSource, watched: WatchedSandboxes, inspection: SandboxInspection, store: SandboxStore);
    onModuleInit(): Promise<void>;
    private inspectAll;
    private onExit;
}
