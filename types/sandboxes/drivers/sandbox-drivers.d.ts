import { type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AgentServerClient } from '../../agent-server';
import { type Settings } from '../../config';
import { Metrics } from '../../http';
import type { SandboxDriver } from '../record/sandbox-driver';
/**
 * All drivers: new sandboxes use the configured one, older ones may still need another. Extensions register
 * theirs in the constructor of a provider (docs/extending.md).
 */
export declare class SandboxDrivers implements OnModuleInit, OnApplicationShutdown {
    private readonly settings;
    private readonly exitListeners;
    private readonly byName;
    private readonly firewall;
    constructor(settings: Settings, client: AgentServerClient, metrics: Metrics);
    /** Fails the start, rather than the first sandbox. */
    onModuleInit(): Promise<void>;
    /** Once the sandboxes that stop with the service have. */
    onApplicationShutdown(): Promise<void>;
    /** Adds a driver, under a name that no other has. */
    register(driver: SandboxDriver): void;
    /** @param listener is called when a driver, registered before or after, notices that a sandbox ended */
    onExit(listener: (sandboxId: string) => void): void;
    /** The names of the drivers whose sandboxes stop with the service. */
    stoppingWithService(): string[];
    /** The drivers whose sandboxes live on something that several hosts may work with. */
    withSharedHost(): (SandboxDriver & Required<Pick<SandboxDriver, 'sharedHost'>>)[];
    /** Whether one agent server serves all sandboxes of a driver; false for one that is not there any more. */
    sharesServer(name: string): boolean;
    /** Ends the sandbox that took all ports for outgoing connections of this host, if one did. */
    keepConnecting(): Promise<void>;
    /** The driver of new sandboxes. */
    get current(): SandboxDriver;
    /** Undefined for one that is not there any more. */
    find(name: string): SandboxDriver | undefined;
    named(name: string): SandboxDriver;
}
