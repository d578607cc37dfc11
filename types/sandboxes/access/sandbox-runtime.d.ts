import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { Installation } from '../record/installation/installation';
import type { DriverCapabilities, LogLimit, RunState, StartedServer } from '../record/sandbox-driver';
import { SandboxKeys } from '../record/sandbox-keys';
import type { Sandbox } from '../record/sandbox.entity';
/** Runs stored sandboxes with the driver they were made with. Errors are those of the drivers. */
export declare class SandboxRuntime {
    private readonly drivers;
    private readonly keys;
    private readonly installation;
    constructor(drivers: SandboxDrivers, keys: SandboxKeys, installation: Installation);
    capabilities({ driver }: Sandbox): DriverCapabilities;
    /** Starts a sandbox that never ran, or resumes one that did. @throws DriverError */
    launch(sandbox: Sandbox): Promise<StartedServer>;
    pause(sandbox: Sandbox): Promise<void>;
    /** As pause, within the time that a stopping service has. */
    stopNow(sandbox: Sandbox): Promise<void>;
    delete(sandbox: Sandbox): Promise<void>;
    describe(sandbox: Sandbox): Promise<RunState>;
    /**
     * What the driver knows of why a sandbox does not run.
     * @returns a sentence, with a space before it, to be added to another; empty where nothing is known
     */
    explanation(sandbox: Sandbox): Promise<string>;
    /** The last lines that its agent server wrote; null where the driver has none to show. */
    logs(sandbox: Sandbox, limit: LogLimit): Promise<readonly string[] | null>;
    /** The user whose listener its agent server is, as its driver recorded it. */
    listenerUid(sandbox: Sandbox): Promise<number | null>;
    /** Whether the driver finds the sandbox running; its agent server need not answer. */
    isRunning(sandbox: Sandbox): Promise<boolean>;
    private with;
    private handleOf;
}
