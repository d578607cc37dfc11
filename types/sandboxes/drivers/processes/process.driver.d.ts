import type { Settings } from '../../../config';
import { type ProcessDriverOptions } from './agent-processes';
import type { HostFirewall } from '../firewall/host-firewall';
import { type SandboxHandle, type DriverCapabilities, type LogLimit, type RunState, type SandboxDriver, type StartedServer } from '../../record/sandbox-driver';
/**
 * Runs one agent server per sandbox as a process of this host, with a folder (0700), a port, a key and an
 * environment of its own. The processes outlive the service and are found again by number and start time.
 */
export declare class ProcessDriver implements SandboxDriver {
    private readonly options;
    private readonly firewall;
    private readonly files;
    private readonly log;
    private readonly processes;
    private readonly warm;
    private exited;
    constructor(settings: Settings, options: ProcessDriverOptions, firewall: HostFirewall);
    get name(): string;
    get description(): string;
    get capabilities(): DriverCapabilities;
    get operatorNote(): string;
    /** Says once, at start, what this driver does not protect from. */
    prepare(): Promise<void>;
    /** @param listener is called when a process ends that this process of the service started */
    onExit(listener: (sandboxId: string) => void): void;
    start(sandbox: SandboxHandle): Promise<StartedServer>;
    resume(sandbox: SandboxHandle): Promise<StartedServer>;
    pause({ id }: SandboxHandle): Promise<void>;
    /** As pause, for a service that has to end within seconds itself. */
    stopNow({ id }: SandboxHandle): Promise<void>;
    delete({ id }: SandboxHandle): Promise<void>;
    describe({ id }: Pick<SandboxHandle, 'id'>): Promise<RunState>;
    listenerUid({ id }: SandboxHandle): Promise<number | null>;
    logs({ id }: SandboxHandle, limit: LogLimit): Promise<readonly string[]>;
    isAvailable(): Promise<boolean>;
    /** Ends those that were started ahead. */
    close(): Promise<void>;
    private run;
    /** The folder of all sandboxes: others may pass through it, and see nothing. */
    private openFolder;
}
