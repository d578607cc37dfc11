import { type EntityManager, Repository } from 'typeorm';
import { type Settings } from '../../config';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import type { SandboxDriver } from '../record/sandbox-driver';
import { SandboxHost } from './sandbox-host.entity';
/** Injection token of this host's id. */
export declare const HOST_ID: unique symbol;
/** A host that was not seen for this long is away. */
export declare const HOST_AWAY_SECONDS = 30;
/**
 * The hosts that run sandboxes, by their heartbeats. What several hosts share to run sandboxes on, such as a container
 * engine, counts as a host of its own, `<driver>:<id>`, for which all of them work.
 */
export declare class Hosts {
    readonly own: string;
    private readonly settings;
    private readonly hosts;
    private readonly drivers;
    private readonly log;
    private finding;
    constructor(own: string, settings: Settings, hosts: Repository<SandboxHost>, drivers: SandboxDrivers);
    /**
     * The hosts for whose sandboxes this process works: its own, and those that it shares with others.
     * @throws StartError when it cannot be found out what the driver of new sandboxes shares
     */
    workedFor(): Promise<string[]>;
    /** Whether this process reaches what a sandbox lives on. */
    reaches(hostId: string | null): Promise<boolean>;
    /** The driver whose sandboxes live on a host that is shared; undefined for one that is not. */
    driverOf(hostId: string): Promise<SandboxDriver | undefined>;
    /** Whether this process takes the jobs of its host. */
    get works(): boolean;
    /** Records that this host is there, and what it shares with others and is available. */
    recordHeartbeat(): Promise<void>;
    /** @throws SandboxDriverUnavailableError when the host of a sandbox is away */
    assertPresent(hostId: string): Promise<void>;
    /**
     * Where a new sandbox of a driver goes: here, or from a replica without a worker, to the host with the fewest.
     * @param transaction the one in which it is made
     * @throws SandboxDriverUnavailableError when no host is there
     */
    choose(transaction: EntityManager, driver: SandboxDriver): Promise<string>;
    private recordPresence;
    private shared;
    /** Of the drivers of older sandboxes one may have nothing to work with any more. */
    private findShared;
    /** The hosts that are there, those with the fewest sandboxes first. */
    private present;
}
