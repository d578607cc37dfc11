import { type Engine } from '../engine';
import { type Unit } from '../names';
/** The option of a network that names the interface on the engine's host. */
export declare const BRIDGE_NAME = "com.docker.network.bridge.name";
/** The networks of sandboxes: each has one of its own while it runs. */
export declare class Networks {
    private readonly engine;
    private readonly cidr;
    private readonly subnets;
    /** Which one is looked at next: those that were given back are the last, since somebody may still call an address there. */
    private next;
    /** @param cidr where they are taken from (`DOCKER_SUBNETS`) */
    constructor(engine: Engine, cidr: string);
    /** Makes the network of a unit. @throws DriverError when all addresses are taken */
    create(unit: Unit): Promise<void>;
    /** Removes a network, if there is one. */
    remove(store: string): Promise<void>;
    /** The address of the engine's host in the network that it makes itself; null where it has none, or is away. */
    hostAddress(): Promise<string | null>;
    private createWith;
    private taken;
}
