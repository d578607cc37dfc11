import { type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { JobHandlers } from '../../jobs';
import { SandboxRuntime } from '../access/sandbox-runtime';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { HostSandboxes } from '../hosts/host-sandboxes';
import { Hosts } from '../hosts/hosts';
import { SandboxStore } from '../record/sandbox-store';
import { SandboxDesiredState } from './desired-state/sandbox-desired-state';
/**
 * Handles hosts that go away and return. Sandboxes of a driver that stops with the service are paused with it; all
 * others run on while it restarts, and all do when it is killed. Their drivers find them again
 * (docs/decisions/0016-hosts-own-sandboxes.md).
 */
export declare class HostPresence implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
    private readonly handlers;
    private readonly hosts;
    private readonly sandboxes;
    private readonly drivers;
    private readonly runtime;
    private readonly store;
    private readonly desired;
    private readonly log;
    private timer;
    constructor(handlers: JobHandlers, hosts: Hosts, sandboxes: HostSandboxes, drivers: SandboxDrivers, runtime: SandboxRuntime, store: SandboxStore, desired: SandboxDesiredState);
    /** Early, so that other replicas do not take this host for absent. */
    onModuleInit(): Promise<void>;
    onApplicationBootstrap(): Promise<void>;
    beforeApplicationShutdown(): Promise<void>;
    private sendHeartbeat;
    private stopWithService;
    /** Must run before any call to an agent server of an earlier release. */
    private recordListeners;
    private resumePausedWithHost;
    /** Sandboxes that count as failed since a host was away, and still run. */
    private adoptGivenUp;
    private giveUpOnAwayHosts;
}
