import type { Engine } from '../engine';
/** Hears from the engine which containers of sandboxes end, for as long as it is wanted. */
export declare class ContainerEnds {
    private readonly engine;
    private readonly ended;
    private readonly stop;
    private stream;
    /** @param ended is called with the id of a sandbox */
    constructor(engine: Engine, ended: (sandboxId: string) => void);
    /** Listens, again and again after the connection is lost. */
    listen(): Promise<void>;
    close(): void;
    private listenOnce;
    private report;
}
