import { type OnModuleInit } from '@nestjs/common';
import { Repository } from 'typeorm';
import { JobHandlers } from '../../jobs';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { Hosts } from '../hosts/hosts';
import { Installation } from '../record/installation/installation';
import { SandboxLeftover } from '../record/sandbox-leftover.entity';
/** Removes what is left of sandboxes whose deletion was given up, or that nobody knows any more. */
export declare class LeftoverCleanup implements OnModuleInit {
    private readonly handlers;
    private readonly hosts;
    private readonly leftovers;
    private readonly drivers;
    private readonly installation;
    private readonly log;
    constructor(handlers: JobHandlers, hosts: Hosts, leftovers: Repository<SandboxLeftover>, drivers: SandboxDrivers, installation: Installation);
    onModuleInit(): Promise<void>;
    private removeAll;
    private removeLeftover;
    /** A sandbox has its record before its driver hears of it: one without has none any more. */
    private removeUnknown;
    private remove;
}
