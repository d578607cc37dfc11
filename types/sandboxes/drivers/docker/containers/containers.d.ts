import type { ContainerInspectInfo } from 'dockerode';
import type { Settings } from '../../../../config';
import { type LogLimit } from '../../../record/sandbox-driver';
import { type Engine } from '../engine';
import { type Unit } from '../names';
/** The containers of sandboxes, and their volumes. */
export declare class Containers {
    private readonly settings;
    private readonly engine;
    private pulling;
    private readonly volumes;
    constructor(settings: Settings, engine: Engine);
    /** Null where there is none. */
    inspect(name: string): Promise<ContainerInspectInfo | null>;
    /** What the volume and the network of a sandbox are called; null where it has no volume. */
    storeOf(id: string): Promise<string | null>;
    /** Makes the container of a unit, with its volume if there is none, and puts its keys there. */
    create(unit: Unit, place: {
        readonly uid: number;
        readonly published: string | null;
    }): Promise<void>;
    start(name: string): Promise<void>;
    stop(name: string): Promise<void>;
    /** Removes the container, with volumes that the image may make, and leaves the volume of the sandbox. */
    remove(name: string): Promise<void>;
    removeVolume(name: string): Promise<void>;
    logs(name: string, limit: LogLimit): Promise<string[]>;
    /** The ids of the sandboxes of an installation of which anything is there. */
    ids(installationId: string): Promise<string[]>;
    /** The image's own id; null where the engine does not have it. */
    imageId(): Promise<string | null>;
    /** Whether the image is being fetched. */
    get isFetching(): boolean;
    /** Fetches the image if it is not there; all that need it wait for the same. @throws DriverError when it cannot be had */
    ensureImage(): Promise<void>;
    private pullOnce;
    private orNull;
}
