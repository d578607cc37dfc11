import type { Settings } from '../../../config';
import { BridgeFirewall } from './network/bridge-firewall';
import { Containers } from './containers/containers';
import type { Engine, EngineInfo } from './engine';
import { type Unit } from './names';
import { Networks } from './network/networks';
/** Containers with all that they have of their own: made whole, and removed whole. */
export declare class Units {
    private readonly engine;
    readonly containers: Containers;
    readonly networks: Networks;
    readonly firewall: BridgeFirewall;
    private readonly log;
    private readonly published;
    private readonly leftBridges;
    private info;
    constructor(settings: Settings, engine: Engine);
    /**
     * Makes a container on the volume of its name, in place of an earlier one, and starts it.
     * @throws DriverError
     */
    run(unit: Unit): Promise<void>;
    /** Removes a container and what it has. */
    remove(unit: Pick<Unit, 'name' | 'store'>): Promise<void>;
    /**
     * Called every few seconds: puts right what others did to what containers need on the host.
     * @param areThere whether there are containers of sandboxes
     */
    tend(installationId: string, areThere: boolean): Promise<void>;
    /** Where the agent server of a container is. @throws DriverError when it has ended */
    addressOf(name: string): Promise<string>;
    /** Also one that was made ahead, and claimed without getting its new name. */
    private removeContainer;
    /** What of volumes is in deleted files that programs have open; nothing where the engine's processes cannot be seen. */
    deletedBytes(stores: readonly string[]): Promise<ReadonlyMap<string, number>>;
    /** What the engine says of itself, asked once. */
    engineInfo(): Promise<EngineInfo>;
}
