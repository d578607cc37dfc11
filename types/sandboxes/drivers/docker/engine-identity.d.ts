import type { Settings } from '../../../config';
import { type Engine } from './engine';
/** Which engine this is, also while it is away: it is remembered in `DATA_DIR`. */
export declare class EngineIdentity {
    private readonly settings;
    private readonly engine;
    private readonly log;
    constructor(settings: Pick<Settings, 'DATA_DIR'>, engine: Engine);
    /** @throws StartError when it is away and was never there at this address */
    id(): Promise<string>;
    private remembered;
    private get file();
}
