import type { Settings } from '../../../config';
import type { SandboxHandle, StartedServer } from '../../record/sandbox-driver';
import type { AgentProcesses } from './agent-processes';
import type { ControlFiles } from './control-files';
import type { HostFirewall } from '../firewall/host-firewall';
/**
 * Agent servers that were started ahead and wait for their keys (`SANDBOX_WARM`, docs/sandboxes.md#started-ahead). They end
 * with the service, and those that a crash leaves are removed at its next start: only one process works with their folder.
 */
export declare class WarmProcesses {
    private readonly settings;
    private readonly driver;
    private readonly on;
    private readonly log;
    private readonly awakening;
    private readonly waiting;
    private working;
    private timer;
    private isClosed;
    /** @param driver the name of the driver that they are for */
    constructor(settings: Settings, driver: string, on: {
        readonly processes: AgentProcesses;
        readonly files: ControlFiles;
        readonly firewall: HostFirewall;
    });
    /** Removes what an earlier process left, and begins to start as many as there should be. */
    open(): Promise<void>;
    /**
     * Makes one the agent server of a new sandbox.
     * @param exited is called when it ends
     * @returns null where none is ready, or it could not be used: nothing of it is left then
     */
    claim({ id, sessionKey }: SandboxHandle, exited: () => void): Promise<StartedServer | null>;
    /** Starts no more, and ends those that wait. */
    close(): Promise<void>;
    /** How many there should be: none for a driver that has no new sandboxes. */
    private get wanted();
    private mustStop;
    private replenish;
    private makeAll;
    private rest;
    private make;
    private becomesReady;
    /** One that waited ended. */
    private lost;
    /** Ends the processes of one that no sandbox has, and removes its files. */
    private discard;
}
