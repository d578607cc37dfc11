import { type Engine } from '../engine';
import type { Unit } from '../names';
/** The volumes of sandboxes, with a quota where the engine has them (docs/docker.md#disk). */
export declare class Volumes {
    private readonly engine;
    private readonly mebibytes;
    private hasQuotas;
    /** @param mebibytes what one may take (`SANDBOX_DISK_MEBIBYTES`) */
    constructor(engine: Engine, mebibytes: number);
    /** Makes the volume of a unit; nothing happens where it is there. */
    create({ store, labels }: Unit): Promise<void>;
}
