import type { Engine } from '../engine';
/**
 * Bridges on this host that no network of the engine has: one that is killed while it makes a network leaves the bridge,
 * and does not remove it with that network later.
 */
export declare class LeftBridges {
    private readonly engine;
    private readonly patienceMs;
    /** Since when each was seen without a network. */
    private readonly since;
    constructor(engine: Engine, patienceMs?: number);
    /** Removes those that have been without a network for a while. @throws Error when it cannot */
    remove(installationId: string): Promise<void>;
    private found;
}
