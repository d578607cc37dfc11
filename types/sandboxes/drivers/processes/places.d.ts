import type { Settings } from '../../../config';
import { type ControlFiles } from './control-files';
/** What the process of a sandbox has for itself on its host. */
export interface Place {
    readonly port: number;
    /** Null for the user of this process. */
    readonly uid: number | null;
}
/** Gives ports and users to sandboxes, none twice: one sandbox chooses at a time. */
export declare class Places {
    private readonly settings;
    private readonly files;
    /** Chosen but not recorded yet. */
    private readonly reserved;
    private turn;
    constructor(settings: Settings, files: ControlFiles);
    /**
     * Chooses a place, kept from others until it is {@link recorded}.
     * @param before the port and the user it had before, which it keeps where it can
     * @param needsUser whether it runs as a user of its own
     * @throws DriverError when there is none
     */
    choose(id: string, before: {
        readonly port: number | null;
        readonly uid: number | null;
    }, needsUser: boolean): Promise<Place>;
    /** Called once the record of the sandbox names the place, or it is not wanted any more. */
    recorded({ port, uid }: Place): void;
    private port;
    private takenByOthers;
}
