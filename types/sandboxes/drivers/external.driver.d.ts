import { AgentServerClient } from '../../agent-server';
import type { Settings } from '../../config';
import { type SandboxHandle, type DriverCapabilities, type RunState, type SandboxDriver, type StartedServer } from '../record/sandbox-driver';
/** A sandbox is a record over one agent server that runs already; nothing is started or ended here. */
export declare class ExternalDriver implements SandboxDriver {
    private readonly settings;
    private readonly client;
    readonly name = "external";
    readonly description = "An agent server that runs already, shared by all sandboxes.";
    readonly capabilities: DriverCapabilities;
    constructor(settings: Settings, client: AgentServerClient);
    get sharedApiKey(): string | undefined;
    get sharedBaseUrl(): string | undefined;
    start({ id }: SandboxHandle): Promise<StartedServer>;
    resume(sandbox: SandboxHandle): Promise<StartedServer>;
    pause(): Promise<void>;
    delete(): Promise<void>;
    /** The server answers for itself: health checks find out whether it is alive. */
    describe(): Promise<RunState>;
    isAvailable(): Promise<boolean>;
}
