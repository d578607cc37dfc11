import { type Settings } from '../../../config';
import { type DriverCapabilities, type LogLimit, type RunState, type SandboxDriver, type SandboxHandle, type StartedServer } from '../../record/sandbox-driver';
/**
 * Runs one agent server per sandbox in a container, with a volume, a user and a network of its own (docs/docker.md).
 * Containers outlive the service, and are found again by their names; each start makes a new one on the volume.
 */
export declare class DockerDriver implements SandboxDriver {
    private readonly settings;
    readonly name = "docker";
    readonly description = "An agent server in a container of its own.";
    readonly operatorNote = "one agent server per sandbox, each in a container of its own";
    readonly capabilities: DriverCapabilities;
    private readonly log;
    private readonly engine;
    private readonly units;
    private readonly warm;
    private readonly disk;
    private readonly ends;
    private exited;
    private installationId;
    constructor(settings: Settings);
    /**
     * Which engine it is; a service that cannot use it, or that containers could not report to, or whose containers nothing
     * would confine, does not start.
     */
    sharedHost(): Promise<string>;
    /** Says once, at start, what of the settings the engine does not do. */
    prepare(): Promise<void>;
    /** @param listener is called when a container ends */
    onExit(listener: (sandboxId: string) => void): void;
    start(sandbox: SandboxHandle): Promise<StartedServer>;
    resume(sandbox: SandboxHandle): Promise<StartedServer>;
    pause({ id }: SandboxHandle): Promise<void>;
    delete({ id, installationId }: SandboxHandle): Promise<void>;
    describe({ id }: Pick<SandboxHandle, 'id'>): Promise<RunState>;
    /** Of what ended, the network goes too: nobody keeps addresses by having containers end. */
    explain({ id }: Pick<SandboxHandle, 'id'>): Promise<string | null>;
    logs({ id }: SandboxHandle, limit: LogLimit): Promise<readonly string[]>;
    isAvailable(): Promise<boolean>;
    /** Called every ten seconds by one worker of the engine: the time to make containers ahead, and to put things right. */
    ids(installationId: string): Promise<readonly string[]>;
    /** The rules stay where containers run on. */
    close(): Promise<void>;
    /** @throws StartError when no agent server could report to the service */
    private checkCallback;
    private run;
    private started;
    private storeOf;
}
