import type { Settings } from '../../../../config';
import type { Engine } from '../engine';
import { type Unit } from '../names';
/**
 * Keeps containers from the engine's host, from each other and from private networks (docs/docker.md#network). It is one
 * table of nftables for each installation, made anew before each start, and when somebody removed it.
 */
export declare class BridgeFirewall {
    private readonly settings;
    private readonly engine;
    private readonly log;
    private hasMade;
    constructor(settings: Settings, engine: Engine);
    /**
     * Whether this process can make rules for the engine's host; what `SANDBOX_ISOLATION=none` lets go is only logged.
     * @throws StartError when it cannot, and nobody said that this is fine
     */
    check(): Promise<void>;
    /**
     * Called before a container starts, and after its network was made.
     * @throws DriverError when it would not be kept from anything
     */
    enforce({ store, installationId }: Pick<Unit, 'store' | 'installationId'>): Promise<void>;
    /** Called every few seconds while there are containers: makes rules that are not there any more, or of earlier settings. */
    keep(installationId: string): Promise<void>;
    /** Removes the table, if there is one. */
    remove(installationId: string): Promise<void>;
    private make;
    /** Whether nothing confines containers, and somebody said that this is fine. */
    private isLetGo;
    private rules;
    private problem;
}
